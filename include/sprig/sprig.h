#pragma once

// The headers that most programs need: models, images, strokes, data sets and drawings. The lower-level
// interface for research is in network.h, learner.h and front_end.h.

#include <iostream> // so that a first program needs no other header

#include "sprig/data.h"
#include "sprig/draw_explanation.h"
#include "sprig/draw_model.h"
#include "sprig/error.h"
#include "sprig/model.h"
#include "sprig/strokes.h"
#include "sprig/version.h"

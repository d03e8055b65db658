#pragma once

// All that most programs need: a model, images, data sets, drawings. Below it lies the interface for research:
// Network, Learner and Reader, FrontEnd.

#include <iostream> // so that a first program needs no other header

#include "sprig/data.h"
#include "sprig/draw_explanation.h"
#include "sprig/draw_model.h"
#include "sprig/error.h"
#include "sprig/model.h"
#include "sprig/version.h"

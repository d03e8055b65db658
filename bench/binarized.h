#pragma once

#include <vector>

#include <opencv2/core.hpp>

#include "sprig/data.h"

namespace sprig::bench {

/// The images as input for cv::findContours, binarized as in the front end.
inline std::vector<cv::Mat> binarized(const Dataset& data) {
    std::vector<cv::Mat> mats;
    for (std::size_t i = 0; i < data.size(); ++i) {
        const ImageView image = data.image(i);
        cv::Mat mat(image.height, image.width, CV_8UC1);
        for (std::size_t p = 0; p < image.size(); ++p) mat.data[p] = image.pixels[p] > 127 ? 255 : 0;
        mats.push_back(mat);
    }
    return mats;
}

} // namespace sprig::bench

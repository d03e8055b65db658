#pragma once

#include <cstddef>
#include <vector>

#include <opencv2/imgproc.hpp>

#include "sprig/data.h"

namespace sprig::bench {

/// The unit F: cv::findContours on images that were binarized before, as the front end does.
class FindContours {
  public:
    /// Of `count` images of a data set, from `first` on.
    FindContours(const Dataset& data, std::size_t first, std::size_t count) : first_(first) {
        for (std::size_t i = first; i < first + count; ++i) {
            const ImageView image = data.image(i);
            cv::Mat mat(image.height, image.width, CV_8UC1);
            for (std::size_t p = 0; p < image.size(); ++p) mat.data[p] = image.pixels[p] > 127 ? 255 : 0;
            images_.push_back(mat);
        }
    }

    /// Finds the contours of `count` images, from `first` on, counted as in the data set.
    void operator()(std::size_t first, std::size_t count) {
        for (std::size_t i = first; i < first + count; ++i)
            cv::findContours(images_[i - first_], points_, hierarchy_, cv::RETR_TREE, cv::CHAIN_APPROX_NONE);
    }

  private:
    std::size_t first_;
    std::vector<cv::Mat> images_;
    std::vector<std::vector<cv::Point>> points_;
    std::vector<cv::Vec4i> hierarchy_;
};

} // namespace sprig::bench

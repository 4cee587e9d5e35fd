// Grey images: rows of numbers from 0 to 1.
#pragma once

#include <septran/septran.h>

using image = septran::tensor<float, 2>;
using const_image = septran::tensor<const float, 2>;

/// out(y, x) = the mean of the 3 x 3 neighbours of in(y, x); pixels outside of the image count as 0.
void blur(image out, const_image in);

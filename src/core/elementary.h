#pragma once

/// Exponentials and logarithms that use only + - * / and operations on integers, so that every machine gives
/// the same bits; those of the C library differ between processors. Errors are at most 0.6 units in the
/// last place, and 1 for expm1. Special values are those of the functions of the same names in <cmath>.
namespace sprig::elementary {

[[nodiscard]] double exp(double x);
/// exp(x) - 1, also where x is near 0.
[[nodiscard]] double expm1(double x);
[[nodiscard]] double log(double x);
/// log(1 + x), also where x is near 0.
[[nodiscard]] double log1p(double x);

} // namespace sprig::elementary

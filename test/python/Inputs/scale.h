// Included by the logic; the cache has to notice changes.
#pragma once
inline constexpr float bias = 1.0F;

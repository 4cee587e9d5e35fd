//===- Mapping/Tune.h - Replacing `!tune` by a chosen value -----*- C++ -*-===//
//
//   tile_m: !tune {type: choice, values: [64, 128, full], default: 128}
//   tile_n: !tune [64, 128]                        the same with fewer words
//   stages: !tune {type: range, min: 2, max: 8, step: 2}
//   chunk:  !tune {type: pow2, min: 1, max: 64}
//   flag:   !tune {type: bool}
//
// Any scalar of an instance may be written so. Choosing happens on the tree, before anything is
// read: the readers of settings see a plain scalar that carries the other candidates as
// alternatives, and check those too. Without `default` the first candidate is the default. Private
// to lib/Mapping.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_MAPPING_TUNE_H
#define SEPTRAN_MAPPING_TUNE_H

#include "Mapping/Mapping.h"
#include "Support/Yaml.h"

#include <map>

namespace septran::compiler {

/// The tree below `Node` with every `!tune` replaced by a scalar; a `!tune` that offers nothing is
/// reported and left out (null for the node itself). `Path` is the path of `Node`; `Points`
/// receives what was found.
YamlPtr chooseTuned(const YamlPtr &Node, const std::string &Path,
                    const std::map<std::string, std::string> &Choices,
                    std::vector<TunePoint> &Points, Diagnostics &D);

} // namespace septran::compiler

#endif // SEPTRAN_MAPPING_TUNE_H

//===- digits.h - classification by nearest neighbours ----------*- C++ -*-===//
//
//   labels        one per query: the answer
//   queries       queries x features
//   train         examples x features
//   train_labels  one per example
//
// A query gets the label that most of its `neighbours` nearest examples have, by
// Euclidean distance. Between equally near examples the one with the lower index is
// nearer; between labels with equally many votes, the one with the nearest voter wins.
// With fewer examples all of them vote; without any, the label is -1.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <septran/septran.h>

#include <cstdint>

void classify(septran::tensor<std::int32_t, 1> labels, septran::tensor<const float, 2> queries,
              septran::tensor<const float, 2> train,
              septran::tensor<const std::int32_t, 1> train_labels, int neighbours);

//===- LayoutsTest.cpp - Which kernel a call of some layout is given to ---===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// attention_fwd as it is compiled with --any-layout. What copies by threads takes no tensor maps.
//===----------------------------------------------------------------------===//
#include "World.h"

using namespace world;

namespace {

class Layouts : public World {
protected:
  /// How many tensor maps the kernel of a call takes: Q, K and V, or none.
  size_t mapsOf(const Arguments &arguments) {
    state().launches.clear();
    const Status status = trident::attention_fwd::launch(arguments, stream(1));
    EXPECT_TRUE(status.ok()) << status.message();
    return state().launches.empty() ? ~size_t{0} : state().launches.front().maps.size();
  }
  std::string messageOf(const Arguments &arguments) {
    return trident::attention_fwd::launch(arguments, stream(1)).message();
  }
};

constexpr size_t fast = 3, slower = 0;

} // namespace

TEST_F(Layouts, WhatTheCopyEngineTakesIsFast) {
  EXPECT_EQ(mapsOf(call()), fast);
  EXPECT_EQ(mapsOf(call({}, Type::f16)), fast);
  Arguments expanded = call();
  expanded.k.strides[0] = 0;
  EXPECT_EQ(mapsOf(expanded), fast);
  Arguments one = call({1, 1, 1, 1, 1, 128});
  one.q.strides[0] = one.q.strides[1] = one.k.strides[2] = 3; // of extents of 1
  EXPECT_EQ(mapsOf(one), fast);
  Arguments none = call();
  none.k.shape[1] = none.v.shape[1] = 0;
  none.k.strides[3] = 7; // of an empty tensor
  EXPECT_EQ(mapsOf(none), fast);
}

TEST_F(Layouts, AnyOtherIsTaken) {
  using Change = void (*)(Arguments &);
  for (const Change change :
       {Change([](Arguments &a) { a.q.data = at(qAt + 2); }),
        Change([](Arguments &a) { a.o.data = at(oAt + 2); }),
        Change([](Arguments &a) { a.k.strides[3] = 0; }),
        Change([](Arguments &a) { a.v.strides[1] = 257; }),
        Change([](Arguments &a) { a.k.strides[0] = int64_t{1} << 39; }), Change([](Arguments &a) {
          a.lse.strides[2] = 2, a.lse.strides[1] = 400, a.lse.strides[0] = 3200;
        }),
        Change([](Arguments &a) {
          a.o.strides[3] = 2, a.o.strides[2] = 256, a.o.strides[1] = 2048;
          a.o.strides[0] = 2048 * 200;
        })})
    for (const Type type : {Type::bf16, Type::f16}) {
      Arguments arguments = call({}, type);
      change(arguments);
      EXPECT_EQ(mapsOf(arguments), slower);
      EXPECT_EQ(mapsOf(call({}, type)), fast) << "after a call of another layout";
    }
}

TEST_F(Layouts, StridesOfAllAxesArePassed) {
  Arguments arguments = call();
  arguments.q.strides[3] = 5;
  ASSERT_EQ(mapsOf(arguments), slower);
  int found = 0;
  for (const auto &bytes : state().launches.front().parameters)
    found += bytes.size() == 8 && bytes[0] == 5 && bytes[1] == 0;
  EXPECT_EQ(found, 1);
}

TEST_F(Layouts, WhatIsIllegalStaysSo) {
  Arguments odd = call();
  odd.q.data = at(qAt + 1);
  EXPECT_EQ(messageOf(odd), "attention_fwd: q.data = 0x700000000001 is 1 past a multiple of 2 "
                            "bytes: expected an aligned address (of the element [0, ...], not of "
                            "the allocation)");
  Arguments negative = call();
  negative.v.strides[3] = -1;
  EXPECT_EQ(messageOf(negative), "attention_fwd: v.strides[3] = -1 must not be negative");
  Arguments twice = call();
  twice.o.strides[3] = 0;
  EXPECT_EQ(messageOf(twice), "attention_fwd: o.strides[3] = 0 must be positive: an output must "
                              "not overlap itself");
  Arguments past = call();
  past.k.strides[3] = int64_t{1} << 62;
  EXPECT_EQ(messageOf(past), "attention_fwd: k.strides[3] = 4611686018427387904 reaches past the "
                             "address space");
}

TEST_F(Layouts, EachVariantHasAName) {
  using trident::attention_fwd::variants;
  ASSERT_EQ(std::size(variants), 4u);
  EXPECT_STREQ(variants[0].name, "bf16_128_128_none_sm_90a");
  EXPECT_STREQ(variants[3].name, "f16_128_128_none_sm_90a_any_layout");
}

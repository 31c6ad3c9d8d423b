# attention_fwd by schedules in which warpgroups pass over tiles, and with a window of keys: the last 250.
trident_integration_program(attention_narrow SOURCES attention_narrow.cpp LINK TridentAttentionSupport)
set(two seq_q=128 seq_k=64 warpgroups=2 turns=true producer_registers=24 consumer_registers=240)
set(three seq_q=192 warpgroups=3 turns=true producer_registers=32 consumer_registers=160)
set(apart persistent=true overlap_items=false dynamic=true)
trident_scheduled_kernel(attention_narrow narrow_apart 64 ${two} ${apart} overlap=0 stages=2)
trident_scheduled_kernel(attention_narrow narrow_blocks 64 ${two} persistent=false overlap_items=false overlap=1 stages=2)
trident_scheduled_kernel(attention_narrow narrow_items 64 ${three} persistent=true overlap_items=true dynamic=true overlap=1 stages=3
  seq_k=64)
trident_scheduled_kernel(attention_narrow narrow_one_slot 64 ${three} ${apart} overlap=1 stages=1 seq_k=32)
trident_scheduled_kernel(attention_narrow narrow_wide_head 256 ${two} ${apart} overlap=1 stages=2)
set(before_window "(      %below = [^\n]*\n)(      %visible = arith.ori )%below")
set(window "\\1      %width = arith.constant 250 : i32
      %begin = arith.subi %last, %width : i32
      %begun = arith.cmpi sgt, %col, %begin : i32
      %seen = arith.andi %below, %begun : i1
\\2%seen")
set(schedule SCHEDULE ${two} persistent=true overlap_items=false overlap=1 stages=2 rescale=always)
trident_edited_kernel(attention_narrow window_narrow "${before_window}" "${window}" ${schedule})
trident_edited_kernel(attention_narrow window_wide "${before_window}" "${window}" ${schedule} narrow=false)
trident_few_multiprocessors_test(attention_narrow)
trident_few_multiprocessors_test(attention_cases --small 54)

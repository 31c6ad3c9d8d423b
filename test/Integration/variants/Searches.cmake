# Documents found by searches, with small tiles, so that there are many to search, by each way in which roles learn what was found.
trident_integration_program(attention_searches SOURCES attention_searches.cpp LINK TridentAttentionSupport)
function(trident_search_kernel name mask)
  trident_add_kernel(attention_searches attention_fwd NAME ${name} MASKS ${mask} SET dtype=bf16 head_dim=64 causal=none,bottom_right
    SCHEDULE seq_q=64 seq_k=16 warpgroups=1 stages=2 turns=false producer_registers=0 consumer_registers=0 rescale=stale narrow=false
    ${ARGN})
endfunction()
trident_search_kernel(search_items ordered_document persistent=true dynamic=true overlap=1 overlap_items=true)
trident_search_kernel(search_apart ordered_document persistent=true dynamic=true overlap=0 overlap_items=false)
trident_search_kernel(search_order ordered_document persistent=true dynamic=false overlap=1 overlap_items=true)
trident_search_kernel(search_blocks ordered_document persistent=false overlap=1 overlap_items=false)
trident_search_kernel(range_items key_range persistent=true dynamic=true overlap=1 overlap_items=true)
trident_few_multiprocessors_test(attention_searches)

# Where the toolkit of CUDA 13 is, the stand-in's declarations are compiled against cuda.h: a signature that differs from
# NVIDIA's is then a redeclaration that does not compile, and a number or a layout a failed assertion.
find_package(CUDAToolkit 13 QUIET)
if(CUDAToolkit_FOUND)
  get_target_property(sources trident_emu SOURCES)
  list(FILTER sources INCLUDE REGEX "Api")
  list(TRANSFORM sources PREPEND ${driver}/)
  add_library(EmulatorCudaAgreement OBJECT CudaAgreement.cpp ${sources})
  target_include_directories(EmulatorCudaAgreement PRIVATE ${driver} ${PROJECT_SOURCE_DIR}/include)
  target_include_directories(EmulatorCudaAgreement SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
  set_source_files_properties(${sources} PROPERTIES COMPILE_DEFINITIONS TRIDENT_EMU_CUDA_H)
endif()

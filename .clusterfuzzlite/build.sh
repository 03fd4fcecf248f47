#!/usr/bin/env bash
# Builds the fuzz targets for an engine that says how by SRC, OUT, WORK, CXX, CXXFLAGS and LIB_FUZZING_ENGINE (ClusterFuzzLite, OSS-Fuzz):
# each target into OUT with its seeds, options and dictionary, and the shared libraries that the machine which runs them will not have.
# scripts/tests/clusterfuzzlite_test runs it without either.
set -euo pipefail
for name in SRC OUT WORK CXX CXXFLAGS LIB_FUZZING_ENGINE; do
    [ -n "${!name:-}" ] || { echo "build.sh: $name is not set" >&2; exit 2; }
done
source=$SRC/normcheck
build=$WORK/build

# Only kernels and parsers are instrumented for coverage, by the project's own rules: instrumented oracles are three times as slow.
flags=$(sed -E 's/(^| )-fsanitize=fuzzer-no-link( |$)/ /g; s/,fuzzer-no-link//g; s/fuzzer-no-link,//g' <<<"$CXXFLAGS")
# Not for the builder's own processor, not for the fmt of another standard library, and no warning of another clang is an error.
cmake -S "$source" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_COMPILER="$CXX" -DCMAKE_CXX_FLAGS="$flags -w" \
    -DNORMCHECK_FUZZ=ON -DNORMCHECK_FUZZING_ENGINE="${LIB_FUZZING_ENGINE// /;}" -DNORMCHECK_KERNEL_ARCH= -DNORMCHECK_CUDA=OFF \
    -DNORMCHECK_FMT=fmt::fmt-header-only -DBUILD_TESTING=OFF "-DCMAKE_BUILD_RPATH=\$ORIGIN/lib"
cmake --build "$build" --target fuzz_targets -j "$(nproc)"

mkdir -p "$OUT/lib"
# Those of the system and of the compiler's runtime are there; OpenMP and Boost's fibres may not be.
for library in omp boost_context; do
    file=$(ldd "$build/targets/fuzz_any" | sed -n "s/^\tlib${library}[^ ]* => \([^ ]*\) .*/\1/p")
    [ -z "$file" ] || cp -L "$file" "$OUT/lib/"
done

# The words that the parsers know.
{
    sed -n 's/^FIELD(\([a-z_]*\),.*/"\1="/p' "$source/oracles/contract_fields.def"
    sed -n 's/^FORMAT(\([a-z0-9]*\),.*/"\1"/p' "$source/oracles/formats.def"
    sed -n 's/^FILL(\([a-z_]*\),.*/"fill=\1"/p' "$source/harness/cases/fills.def"
} >"$WORK/words.dict"

for target in "$build"/targets/fuzz_*; do
    name=$(basename "$target")
    [ "$name" != fuzz_planted ] || continue # its fault is there on purpose
    cp "$target" "$OUT/"
    committed=$(find "$source/corpora/fuzz" -name "${name#fuzz_}.cases" -o -name "${name#fuzz_}.hex")
    if [ -n "$committed" ]; then
        rm -rf "$WORK/seeds"
        "$OUT/$name" -write_seeds="$WORK/seeds" "$committed"
        rm -f "$OUT/${name}_seed_corpus.zip"
        (cd "$WORK/seeds" && zip -q -r "$OUT/${name}_seed_corpus.zip" .)
    fi
    case "$name" in
        fuzz_parse_*)
            printf '[libfuzzer]\nmax_len = 512\n' >"$OUT/$name.options"
            cp "$WORK/words.dict" "$OUT/$name.dict"
            ;;
        *) printf '[libfuzzer]\nmax_len = 1024\nlen_control = 0\n' >"$OUT/$name.options" ;;
    esac
done

#!/bin/bash
# Builds a standard library for wasm32-unknown-unknown once, from Debian's rust-web-src, as a folder that
# acts as a toolchain: RUSTC=DIR/bin/rustc. Origin: the project's shared toolchain notes (mk-sysroot.sh);
# ours takes the host from the compiler and keeps machine paths out of the library.
#   mk-sysroot.sh DIR
set -euo pipefail
out=${1:?directory}
host=$(/usr/bin/rustc -vV | sed -n 's/^host: //p')
w=$(mktemp -d); trap 'rm -rf "$w"' EXIT
mkdir -p "$w/src"; echo '#![no_std]' > "$w/src/lib.rs"
cat > "$w/Cargo.toml" <<'T'
[package]
name = "stub"
version = "0.0.0"
edition = "2021"
[profile.release]
opt-level = 3
codegen-units = 1
panic = "abort"
T
# embed-bitcode=yes: without it cargo passes embed-bitcode=no and lto=true fails
# later ("failed to get bitcode from object file for LTO"). The flags are separated by 0x1f: paths may hold spaces.
deps=$(printf -- '--remap-path-prefix=%s=/deps\037' "${CARGO_HOME:-$HOME/.cargo}/registry/src"/*)
flags=$(printf '%s\037' -Cembed-bitcode=yes --remap-path-prefix="$w"=/sysroot \
  --remap-path-prefix="${CARGO_HOME:-$HOME/.cargo}"=/cargo --remap-path-prefix=/usr/lib/rustlib/src/rust=/rustc)$deps
( cd "$w"; RUSTC_BOOTSTRAP=1 RUSTC=/usr/bin/rustc CARGO_ENCODED_RUSTFLAGS="${flags%?}" \
  cargo +stable build --release --target wasm32-unknown-unknown -Zbuild-std=std,panic_abort,panic_unwind,proc_macro,test )
rm -rf "$out"; lib="$out/lib/rustlib/wasm32-unknown-unknown/lib"
mkdir -p "$lib" "$out/bin" "$out/lib/rustlib/$host/bin"
for f in "$w"/target/wasm32-unknown-unknown/release/deps/lib*.rlib; do case $f in */libstub-*) ;; *) cp "$f" "$lib"/;; esac; done
ln -s /usr/lib/rustlib/$host/lib "$out/lib/rustlib/$host/lib"
ln -s /usr/lib/rustlib/src "$out/lib/rustlib/src"
# linker: rustc looks for `rust-lld` in <sysroot>/lib/rustlib/<host>/bin. Either rustup's own or Debian's lld-22
l=$(rustc +stable --print sysroot)/lib/rustlib/$host/bin/rust-lld
[ -x "$l" ] || l=/usr/bin/wasm-ld-22
ln -s "$l" "$out/lib/rustlib/$host/bin/rust-lld"
printf '#!/bin/sh\nexec /usr/bin/rustc --sysroot %s "$@"\n' "$out" > "$out/bin/rustc"
printf '#!/bin/sh\nexec /usr/bin/rustdoc --sysroot %s "$@"\n' "$out" > "$out/bin/rustdoc"
ln -s "$(rustc +stable --print sysroot)/bin/cargo" "$out/bin/cargo"
chmod +x "$out/bin/rustc" "$out/bin/rustdoc"

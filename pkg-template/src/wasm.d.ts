// Runtimes that may not compile bytes import the file as a compiled module.
declare module "*.wasm" {
  const module: object;
  export default module;
}

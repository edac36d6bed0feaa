// A folder outside the repository's own node_modules in which the packed tarball is installed, as a user has it.

import { execFile, execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export const NAME = "acp-client-state";
export const TESTS = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** A value that `cargo xtask test` hands over. */
function given(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run these tests with cargo xtask test.`);
  return value;
}

export const tarball = () => given("PACKAGE_TARBALL");
export const chromium = () => given("CHROMIUM");
export const native = () => given("NATIVE_ANSWERS");

/** A new folder with the package installed and the scenario beside it. */
export function app(name) {
  const folder = path.join(given("HOSTS_FOLDER"), name);
  fs.mkdirSync(folder, { recursive: true });
  write(folder, "package.json", JSON.stringify({ name, private: true, type: "module" }));
  execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", "--silent", tarball()], {
    cwd: folder,
    stdio: ["ignore", "inherit", "inherit"],
  });
  fs.copyFileSync(path.join(TESTS, "hosts/scenario.mjs"), path.join(folder, "scenario.mjs"));
  return folder;
}

export function write(folder, name, text) {
  const file = path.join(folder, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
  return file;
}

/** One of the tools of js-tests/package.json. */
export const tool = (name) => path.join(TESTS, "node_modules/.bin", name);

/** Runs a program in a folder and gives what it printed; rejects with all of its output when it fails. */
export async function run(program, args, folder, env = {}) {
  try {
    const options = { cwd: folder, timeout: 120_000, maxBuffer: 1 << 24, env: { ...process.env, ...env } };
    const { stdout } = await promisify(execFile)(program, args, options);
    return stdout.trim();
  } catch (error) {
    throw new Error(`${path.basename(program)} ${args.join(" ")}\n${error.message}\n${error.stdout}${error.stderr}`);
  }
}

/** A program for a host: runs the scenario and prints its line. */
export const PROGRAM = `
import { ClientState } from "${NAME}";
import { scenario } from "./scenario.mjs";
console.log(scenario(ClientState));
`;

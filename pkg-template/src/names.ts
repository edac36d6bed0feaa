const LONE_HALF = /\p{Surrogate}/u;

/** Whether a string is Unicode text: one with a lone surrogate half counts as malformed (rule E3). */
export const isUnicode: (text: string) => boolean =
  "isWellFormed" in String.prototype
    ? (text) => (text as string & { isWellFormed(): boolean }).isWellFormed()
    : (text) => !LONE_HALF.test(text);

/** How many names that do not matter are remembered. Agents use a dozen; a hostile one may use more. */
const REMEMBERED = 200;

/** Longer names are not kept: the memory must stay small whatever an agent writes. */
const LONGEST = 64;

/** The names that matter, as Rust has them, and a memory of those that were met and do not. */
export class Names {
  readonly #matter: Map<string, boolean>;
  readonly #most: number;
  /** The last one that does not: to compare with one name is far cheaper than to find it, and they come in rows. */
  #last = "";

  constructor(names: string[]) {
    this.#matter = new Map(names.map((name) => [name, true]));
    this.#most = names.length + REMEMBERED;
  }

  /** Whether what has this name is to be read; a name that is no text is, to be found malformed. */
  matter(name: string): boolean {
    if (name === this.#last) return false;
    const matters = this.#matter.get(name) ?? this.#meet(name);
    if (!matters && name.length <= LONGEST) this.#last = name;
    return matters;
  }

  #meet(name: string): boolean {
    if (!isUnicode(name)) return true;
    if (this.#matter.size < this.#most && name.length <= LONGEST) this.#matter.set(name, false);
    return false;
  }
}

/**
 * Raises the dots of i and j. Between stem and dot the face leaves 0.06 em, which in interface text is
 * less than a pixel of an ordinary screen: "Pricing" was read as "Prlclng".
 *
 * A letter with a dot is a composite glyph; what is raised is the place that its dot has in it.
 * Tables and fields are those of TrueType: https://learn.microsoft.com/typography/opentype/spec/glyf
 */

/** In em: with it, what was less than a pixel between stem and dot at 15 px is one and a half. */
const RAISE = 0.04;

/** Places each dot of a TrueType font higher: whatever an i has beside its stem. */
export function raiseDots(font: Buffer) {
  const glyphs = glyphsOf(font);
  const [dot] = componentsOf(font, glyphs[idOf(font, "i")]);
  if (!dot) {
    throw new Error("In this face an i has no dot of its own.");
  }
  const units = Math.round(RAISE * font.readUInt16BE(table(font, "head") + 18));
  const raise = (at: number) => font.writeInt16BE(font.readInt16BE(at) + units, at);
  for (const glyph of glyphs.filter((at) => at !== undefined)) {
    for (const { y } of componentsOf(font, glyph).filter(({ id }) => id === dot.id)) {
      raise(y);
      raise(glyph + BOX_TOP); // nothing else is as high
    }
  }
}

/** Where a table begins. */
function table(font: Buffer, name: string): number {
  const count = font.readUInt16BE(4);
  const entries = Array.from({ length: count }, (_, i) => 12 + 16 * i);
  const entry = entries.find((at) => font.toString("latin1", at, at + 4) === name);
  if (entry === undefined) {
    throw new Error(`This is no TrueType font: it has no table "${name}".`);
  }
  return font.readUInt32BE(entry + 8);
}

/** Where each glyph's description begins, if it has one: an empty glyph's would begin where the next one's does. */
function glyphsOf(font: Buffer): (number | undefined)[] {
  const [glyf, loca] = [table(font, "glyf"), table(font, "loca")];
  const isLong = font.readInt16BE(table(font, "head") + 50) === 1;
  const count = font.readUInt16BE(table(font, "maxp") + 4);
  const begins = Array.from({ length: count + 1 }, (_, id) =>
    isLong ? font.readUInt32BE(loca + 4 * id) : 2 * font.readUInt16BE(loca + 2 * id),
  );
  return begins.slice(0, -1).map((at, id) => (at === begins[id + 1] ? undefined : glyf + at));
}

/** The number of a character's glyph, by segments of characters (format 4 of `cmap`). */
function idOf(font: Buffer, character: string): number {
  const code = character.charCodeAt(0);
  const cmap = table(font, "cmap");
  const format = cmap + font.readUInt32BE(cmap + 8);
  if (font.readUInt16BE(format) !== 4) {
    throw new Error("In this face characters are not found by segments.");
  }
  const segments = format + 14;
  const size = font.readUInt16BE(segments - 8);
  for (let end = segments; end < segments + size; end += 2) {
    const [start, delta, range] = [end + size + 2, end + 2 * size + 2, end + 3 * size + 2];
    const nth = code - font.readUInt16BE(start);
    if (code <= font.readUInt16BE(end) && nth >= 0) {
      const offset = font.readUInt16BE(range);
      const id = offset ? font.readUInt16BE(range + offset + 2 * nth) : code;
      return (id + font.readInt16BE(delta)) & 0xffff;
    }
  }
  throw new Error(`The face has no ${character}.`);
}

/** In a glyph's description: its highest point, and the first of the glyphs that it is composed of. */
const BOX_TOP = 8;
const FIRST_COMPONENT = 10;
/** Flags of a component: it is placed by words and not by bytes; it is scaled; another follows. */
const IN_WORDS = 0x1;
const SCALED = 0xc8;
const MORE = 0x20;

/** The glyphs that one is composed of, and where the word is that says how high each is placed. */
function componentsOf(font: Buffer, glyph?: number): { id: number; y: number }[] {
  if (glyph === undefined || font.readInt16BE(glyph) >= 0) {
    return [];
  }
  const components = [];
  for (let at = glyph + FIRST_COMPONENT, flags = MORE; flags & MORE; ) {
    flags = font.readUInt16BE(at);
    if (flags & SCALED) {
      throw new Error("In this face glyphs are composed of others in other sizes.");
    }
    // A dot stands further aside than a byte can say; what needs no word is none.
    const size = flags & IN_WORDS ? 8 : 6;
    if (size === 8) {
      components.push({ id: font.readUInt16BE(at + 2), y: at + 6 });
    }
    at += size;
  }
  return components;
}

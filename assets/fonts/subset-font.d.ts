/** The part of subset-font that is used here; the package brings no types. */
declare module "subset-font" {
  export default function subsetFont(
    font: Buffer,
    characters: string,
    options: {
      targetFormat: "truetype" | "woff2";
      variationAxes: Record<string, { min: number; max: number }>;
    },
  ): Promise<Buffer>;
}

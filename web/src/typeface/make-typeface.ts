// Creates inter.woff2, the subset of Inter that the page needs. Runs at the start of the build.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import subsetFont from 'subset-font'

const upTo = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i)).join('')

/** Western European letters and the symbols in our texts. Other characters use the system font. */
export const characters = `${upTo(0x20, 0x7e)}${upTo(0xa0, 0xff)}ŒœŸ–—‘’“”•…‹›€™−↑↓`

/** Keeps kerning, tabular digits (`.numbers`), diacritics, and the weights in use. */
export const makeTypeface = (): Promise<Uint8Array> =>
  subsetFont(
    readFileSync(fileURLToPath(import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'))),
    characters,
    {
      targetFormat: 'woff2',
      keepFeatures: ['kern', 'tnum', 'ccmp', 'locl', 'mark', 'mkmk'],
      noHinting: true,
      variationAxes: { wght: { min: 400, max: 700 } },
    },
  )

const typeface = join(import.meta.dirname, 'inter.woff2')

/** Writes the font to where the page's styles expect it. */
export async function writeTypeface(): Promise<void> {
  const font = Buffer.from(await makeTypeface())
  if (!existsSync(typeface) || !font.equals(readFileSync(typeface))) writeFileSync(typeface, font)
}

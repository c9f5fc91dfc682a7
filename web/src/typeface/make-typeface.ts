// Makes inter.woff2, the part of Inter that the page needs, from the package that holds the whole. The build does it first of all.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import subsetFont from 'subset-font'

const upTo = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i)).join('')

/** The languages of western Europe, and the signs that stand in our words. Others are shown in the system's typeface. */
export const characters = `${upTo(0x20, 0x7e)}${upTo(0xa0, 0xff)}ŒœŸ–—‘’“”•…‹›€™−↑↓`

/** Kept: spacing of pairs, digits of one width (`.numbers`), marks on letters; and the weights that are used. */
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

/** Where the page's styles look for it. */
export async function writeTypeface(): Promise<void> {
  const made = Buffer.from(await makeTypeface())
  if (!existsSync(typeface) || !made.equals(readFileSync(typeface))) writeFileSync(typeface, made)
}

// Types for the part of subset-font that we use; the package ships none.
declare module 'subset-font' {
  const subsetFont: (
    font: Uint8Array,
    text: string,
    options: {
      targetFormat: 'woff2'
      keepFeatures: readonly string[]
      noHinting: boolean
      variationAxes: Record<string, { min: number; max: number }>
    },
  ) => Promise<Uint8Array>
  // biome-ignore lint/style/noDefaultExport: it is theirs
  export default subsetFont
}

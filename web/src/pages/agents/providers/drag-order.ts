// Where a dragged row would go. Pure.

/** The index whose row holds this height; beyond the ends, the first or the last. */
export function indexAt(y: number, rows: readonly { top: number; bottom: number }[]): number {
  const at = rows.findIndex(({ bottom }) => y < bottom)
  return at === -1 ? Math.max(0, rows.length - 1) : at
}

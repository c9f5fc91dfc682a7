// The drop position of a dragged row. Pure.

/** The index of the row at this height; clamped to the first and the last. */
export function indexAt(y: number, rows: readonly { top: number; bottom: number }[]): number {
  const at = rows.findIndex(({ bottom }) => y < bottom)
  return at === -1 ? Math.max(0, rows.length - 1) : at
}

// After going to another page the focus moves to its title: a reader hears where they are, and Tab goes on from there.

/** The path of the page before, and the one whose title was focused. */
let last: string | null = null
let focused: string | null = null

export function focusTitle(title: HTMLElement | null, path: string): void {
  const isOther = last !== null && last !== path
  last = path
  const { activeElement, body } = document
  // A page is drawn again once its data is there: the title that had the focus is gone.
  const isLost = focused === path && (activeElement === null || activeElement === body)
  if (!isOther && !isLost) return
  focused = path
  // A field that takes the focus by itself keeps it.
  if (
    activeElement instanceof HTMLElement &&
    activeElement.closest('main, [role=dialog]') &&
    activeElement.id !== 'content'
  )
    return
  title?.focus({ preventScroll: true })
}

// Moves the focus to the title after navigation: screen readers announce the page, and Tab continues from there.

/** The path of the previous page, and the path whose title was last focused. */
let last: string | null = null
let focused: string | null = null

export function focusTitle(title: HTMLElement | null, path: string): void {
  const isOther = last !== null && last !== path
  last = path
  const { activeElement, body } = document
  // A page re-renders when its data arrives, which removes the focused title.
  const isLost = focused === path && (activeElement === null || activeElement === body)
  if (!isOther && !isLost) return
  focused = path
  // A field with autofocus keeps the focus.
  if (
    activeElement instanceof HTMLElement &&
    activeElement.closest('main, [role=dialog]') &&
    activeElement.id !== 'content'
  )
    return
  title?.focus({ preventScroll: true })
}

// A form that was refused shows its first wrong field, wherever one has scrolled to.
export function focusFirstError(root: ParentNode = document): void {
  // The fields are marked by the next drawing.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => root.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()),
  )
}

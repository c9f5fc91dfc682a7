// Focuses the first invalid field of a rejected form.
export function focusFirstError(root: ParentNode = document): void {
  // Fields are marked invalid on the next render.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => root.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()),
  )
}

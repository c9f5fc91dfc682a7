// Focuses the first invalid field of a rejected form.
export function focusFirstError(root: ParentNode = document): void {
  // Fields are marked invalid on the next render.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      // A field in a closed tab is not rendered: focus its tab instead.
      const field = root.querySelector<HTMLElement>('[aria-invalid="true"]') ?? root.querySelector('[data-has-problem]')
      if (field instanceof HTMLElement) field.focus()
    }),
  )
}

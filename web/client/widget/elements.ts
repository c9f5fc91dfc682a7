// Builds DOM elements without parsing HTML, so the widget works on pages that require Trusted Types.

type Attributes = Record<string, string | boolean | undefined>

/** An attribute that is false or undefined is omitted; true sets it to an empty string. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name)
  setAttributes(made, attributes)
  made.append(...children)
  return made
}

export function setAttributes(target: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes))
    if (value === undefined || value === false) target.removeAttribute(name)
    else target.setAttribute(name, value === true ? '' : value)
}

export function button(label: string, attributes: Attributes, ...children: (Node | string)[]): HTMLButtonElement {
  return element(
    'button',
    { type: 'button', 'aria-label': children.includes(label) ? undefined : label, ...attributes },
    ...children,
  )
}

const shapes = {
  phone:
    'M6.6 3.5l2 4.6-2 1.6a13 13 0 0 0 5.7 5.7l1.7-2 4.5 2v3.2a1.8 1.8 0 0 1-2 1.8A15.4 15.4 0 0 1 3.2 5.5a1.8 1.8 0 0 1 1.7-2z',
  chat: 'M4 5h16v11H10l-4.5 4v-4H4z',
  close: 'M6 6l12 12M18 6L6 18',
  microphone: 'M9 5a3 3 0 0 1 6 0v6a3 3 0 0 1-6 0zM5.5 11a6.5 6.5 0 0 0 13 0M12 17.5V21',
  off: 'M9 5a3 3 0 0 1 6 0v6a3 3 0 0 1-6 0zM5.5 11a6.5 6.5 0 0 0 13 0M12 17.5V21M4 3l16 18',
  send: 'M4 12l16-8-5 16-4-6z',
}

export function icon(name: keyof typeof shapes): SVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  setAttributes(svg, { viewBox: '0 0 24 24', 'aria-hidden': 'true', focusable: 'false' })
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  path.setAttribute('d', shapes[name])
  svg.append(path)
  return svg
}

// The key presses that open the palette or the list of shortcuts. Pure, except for detecting the platform.

export type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'repeat'>

export const isApple = (platform = globalThis.navigator?.platform ?? ''): boolean => /^(Mac|iP)/.test(platform)

export const modifierName = (): string => (isApple() ? '⌘' : 'Ctrl')

/** On a Mac, Ctrl+K deletes to the end of the line, so text fields keep it. */
export function isPaletteKey(press: KeyPress, onApple: boolean): boolean {
  const isModified = onApple ? press.metaKey && !press.ctrlKey : press.ctrlKey && !press.metaKey
  return isModified && !press.altKey && !press.shiftKey && press.key.toLowerCase() === 'k'
}

/** With `isTyping`, the key belongs to a text field. */
export const isHelpKey = (press: KeyPress, isTyping: boolean): boolean =>
  press.key === '?' && !isTyping && !press.ctrlKey && !press.metaKey && !press.altKey && !press.repeat

export const isTypingIn = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

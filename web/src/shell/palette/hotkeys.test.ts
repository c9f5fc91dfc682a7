import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isApple, isHelpKey, isPaletteKey, type KeyPress } from './hotkeys.ts'

const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  repeat: false,
  ...more,
})

test('Ctrl+K opens the palette, on a Mac ⌘K', () => {
  assert.ok(isPaletteKey(press('k', { ctrlKey: true }), false))
  assert.ok(isPaletteKey(press('K', { ctrlKey: true }), false))
  assert.ok(isPaletteKey(press('k', { metaKey: true }), true))
  assert.ok(!isPaletteKey(press('k', { ctrlKey: true }), true))
  assert.ok(!isPaletteKey(press('k'), false))
  assert.ok(!isPaletteKey(press('k', { ctrlKey: true, shiftKey: true }), false))
  assert.ok(isApple('MacIntel') && isApple('iPhone') && !isApple('Linux x86_64'))
})

test('the question mark shows the shortcuts, unless it is typed into a field', () => {
  assert.ok(isHelpKey(press('?', { shiftKey: true }), false))
  assert.ok(!isHelpKey(press('?', { shiftKey: true }), true))
  assert.ok(!isHelpKey(press('?', { ctrlKey: true }), false))
})

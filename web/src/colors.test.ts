// Contrast of the semantic colors in both themes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brand, contrast, dark, outcomes, roles, success } from './colors.ts'

test('contrast is that of WCAG', () => {
  assert.equal(contrast('#000000', '#ffffff'), 21)
  assert.equal(contrast('#777777', '#777777'), 1)
  assert.ok(Math.abs(contrast('#767676', '#ffffff') - 4.54) < 0.01)
})

test('every colour of the chart stands out from its ground by 3:1, in light and dark', () => {
  for (const theme of ['light', 'dark'] as const)
    for (const name of [...outcomes, 'focus', 'spark'] as const)
      for (const ground of ['surface', 'ground'] as const) {
        const ratio = contrast(roles[theme][name], roles[theme][ground])
        assert.ok(ratio >= 3, `${theme} ${name} on ${ground}: ${ratio.toFixed(2)}`)
      }
})

test('text on the bubbles of a conversation has at least 7:1', () => {
  for (const name of ['person', 'agent'] as const) {
    assert.ok(contrast(roles.light[name], '#000000') >= 7)
    assert.ok(contrast(roles.dark[name], dark[0]) >= 7, `${name}: ${contrast(roles.dark[name], dark[0])}`)
  }
})

test('brand, success and chart are different hues', () => {
  const hue = (color: string) => {
    const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
    const [most, least] = [Math.max(r, g, b), Math.min(r, g, b)]
    const turn =
      most === r ? (g - b) / (most - least) : most === g ? 2 + (b - r) / (most - least) : 4 + (r - g) / (most - least)
    return (turn * 60 + 360) % 360
  }
  const hues = [hue(brand[7]), hue(success[8]), ...outcomes.map((name) => hue(roles.light[name]))]
  for (const [i, a] of hues.entries())
    for (const b of hues.slice(i + 1)) {
      const apart = Math.min(Math.abs(a - b), 360 - Math.abs(a - b))
      assert.ok(apart >= 25, `${Math.round(a)} and ${Math.round(b)}`)
    }
})

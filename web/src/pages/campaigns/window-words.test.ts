import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setupTexts } from './setup-texts.ts'
import { dayRanges, isOrdered, windowText } from './window-words.ts'

test('neighbouring days are written as one range', () => {
  assert.deepEqual(dayRanges([5, 1, 2, 3, 4]), [[1, 5]])
  assert.deepEqual(dayRanges([1, 2, 3, 6]), [
    [1, 3],
    [6, 6],
  ])
  assert.deepEqual(dayRanges([]), [])
  const hours = { from: '09:00', to: '18:00' }
  assert.equal(windowText({ days: [1, 2, 3, 4, 5], ...hours }, setupTexts.en), 'Mon to Fri, 09:00 to 18:00')
  assert.equal(windowText({ days: [6, 7], ...hours }, setupTexts.pt), 'Sáb, Dom, das 09:00 às 18:00')
  assert.equal(windowText({ days: [1, 2, 3, 4, 5, 6, 7], ...hours }, setupTexts.es), 'Todos los días, de 09:00 a 18:00')
})

test('a window ends after it begins', () => {
  assert.ok(isOrdered({ from: '23:30', to: '24:00' }))
  assert.ok(!isOrdered({ from: '09:00', to: '09:00' }))
  assert.ok(!isOrdered({ from: '', to: '10:00' }))
})

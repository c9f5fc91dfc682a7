// Reorders list rows by dragging their handles with mouse, pen or touch. Keyboard users have buttons.
import { type PointerEvent, useRef, useState } from 'react'
import { indexAt } from './drag-order.ts'

export type Dragging = { from: number; over: number }

export function useDragOrder(onMove: (from: number, to: number) => void) {
  const list = useRef<HTMLOListElement>(null)
  const [dragging, setDragging] = useState<Dragging | null>(null)
  const over = (event: PointerEvent) => {
    const rows = [...(list.current?.querySelectorAll('[data-link]') ?? [])].map((row) => row.getBoundingClientRect())
    return indexAt(event.clientY, rows)
  }
  const handle = (from: number) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return
      event.preventDefault()
      event.currentTarget.setPointerCapture(event.pointerId)
      setDragging({ from, over: from })
    },
    onPointerMove: (event: PointerEvent) => {
      if (dragging) setDragging({ from, over: over(event) })
    },
    onPointerUp: (event: PointerEvent) => {
      if (!dragging) return
      setDragging(null)
      const to = over(event)
      if (to !== from) onMove(from, to)
    },
    onPointerCancel: () => setDragging(null),
  })
  return { list, dragging, handle }
}

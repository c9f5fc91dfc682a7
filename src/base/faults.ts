// Counts internal faults for /metrics; invalid input from a peer is not one.

export type Component = 'vad' | 'rtp' | 'webrtc' | 'bus'

const counts = new Map<Component, number>()

export const countFault = (component: Component): void => void counts.set(component, (counts.get(component) ?? 0) + 1)

export const faultCounts = () => [...counts].map(([component, value]) => ({ labels: { component }, value }))

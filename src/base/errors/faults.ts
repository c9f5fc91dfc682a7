// Counts internal faults for /metrics; invalid input from a peer is not counted.

export type Component = 'vad' | 'rtp' | 'webrtc' | 'bus'

const counts = new Map<Component, number>()

export const countFault = (component: Component): void => void counts.set(component, (counts.get(component) ?? 0) + 1)

export const faultCounts = () => [...counts].map(([component, value]) => ({ labels: { component }, value }))

/** Kinds of fault owners. */
export type OwnerKind = 'call' | 'request' | 'job' | 'socket'

const contained = new Map<OwnerKind, number>()

/** Counts a fault that ended only its owner. */
export const countContained = (owner: OwnerKind): void => void contained.set(owner, (contained.get(owner) ?? 0) + 1)

export const containedCounts = () => [...contained].map(([owner, value]) => ({ labels: { owner }, value }))

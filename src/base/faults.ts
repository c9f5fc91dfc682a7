// Counts internal faults for /metrics; invalid input from a peer is not one.
import { Counter } from 'prom-client'

export type Component = 'vad' | 'rtp' | 'webrtc'

export const faults = new Counter({
  name: 'ramal_faults_total',
  help: 'Failures inside the platform, by component',
  labelNames: ['component'],
  registers: [],
})

export const countFault = (component: Component): void => faults.inc({ component })

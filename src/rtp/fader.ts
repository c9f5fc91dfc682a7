// Gain changes without clicks: ramped over one frame.

export class Fader {
  #gain = 1
  #wished = 1

  wish(gain: number): void {
    this.#wished = Math.min(1, Math.max(0, gain))
  }

  apply(frame: Int16Array): void {
    const from = this.#gain
    const to = this.#wished
    this.#gain = to
    if (from === 1 && to === 1) return
    const { length } = frame
    for (let i = 0; i < length; i++) frame[i] = (frame[i] as number) * (from + ((to - from) * i) / length)
  }
}

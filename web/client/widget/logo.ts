// The widget's logo. An image of the settings is drawn on a canvas, which no img-src of the site concerns; one at an address is an image element.
import { element } from './elements.ts'

/** Twice the size at which it is shown, for dense screens. */
const PIXELS = 80

/** Replaces the sign once there is something to show: where the image is missing or the site's policy refuses it, the sign stays. */
export function showLogo(logo: string, place: (image: Element) => void): void {
  if (logo.startsWith('data:')) {
    void drawn(logo).then(place, () => {})
    return
  }
  if (!logo.startsWith('https://')) return
  const image = element('img', { class: 'logo', alt: '', referrerpolicy: 'no-referrer', src: logo })
  image.addEventListener('load', () => place(image))
}

async function drawn(dataUrl: string): Promise<HTMLCanvasElement> {
  const [head = '', encoded = ''] = dataUrl.split(',', 2)
  const bytes = Uint8Array.from(atob(encoded), (letter) => letter.charCodeAt(0))
  const image = await createImageBitmap(new Blob([bytes], { type: /^data:([\w/]+)/.exec(head)?.[1] ?? '' }))
  const scale = PIXELS / Math.max(image.width, image.height)
  const [width, height] = [Math.round(image.width * scale), Math.round(image.height * scale)]
  const canvas = element('canvas', { class: 'logo', width: String(width), height: String(height) })
  canvas.getContext('2d')?.drawImage(image, 0, 0, width, height)
  image.close()
  return canvas
}

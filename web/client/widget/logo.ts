// The widget's logo. An uploaded image is drawn on a canvas, which the site's img-src policy does not restrict; a URL
// is loaded by an image element.
import { element } from './elements.ts'

/** Twice the display size, for high-density screens. */
const PIXELS = 80

/** Replaces the icon once the image has loaded: if it is missing, or blocked by the site's policy, the icon stays. */
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

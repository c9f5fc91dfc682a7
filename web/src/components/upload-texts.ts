// Texts of an upload that is in progress or was interrupted.
import { texts } from '../i18n/texts.ts'

export const uploadTexts = texts(
  {
    sending: (file: string) => `Enviando e lendo “${file}”`,
    keepTab: 'Você pode usar outras páginas do Ramal. Só não feche esta aba até o envio terminar.',
    dismiss: 'Dispensar',
    sendAgain: 'Enviar de novo',
  },
  {
    sending: (file) => `Uploading and reading “${file}”`,
    keepTab: 'You can go on to other pages of Ramal. Just keep this tab open until the upload ends.',
    dismiss: 'Dismiss',
    sendAgain: 'Send again',
  },
  {
    sending: (file) => `Enviando y leyendo “${file}”`,
    keepTab: 'Puede usar otras páginas de Ramal. Solo mantenga esta pestaña abierta hasta que termine el envío.',
    dismiss: 'Descartar',
    sendAgain: 'Enviar de nuevo',
  },
)

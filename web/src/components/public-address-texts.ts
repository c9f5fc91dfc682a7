// Texts of the card shown when the server's public URL is only reachable from this computer.
import { texts } from '../i18n/texts.ts'

export const publicAddressTexts = texts(
  {
    title: 'Só este computador alcança este servidor',
    text: (address: string) =>
      `Um link ou código com ${address} não funciona em outro lugar. Acrescente estas linhas ao arquivo .env, com o endereço do seu servidor, e reinicie:`,
    hint: 'Se um proxy reverso nesta máquina recebe o endereço, deixe HOST como está.',
    anyway: 'Usar assim, só neste computador',
  },
  {
    title: 'Only this computer can reach this server',
    text: (address) =>
      `A link or code with ${address} does not work anywhere else. Add these lines to the .env file, with your server's address, and restart:`,
    hint: 'If a reverse proxy on this machine serves the address, leave HOST as it is.',
    anyway: 'Use it anyway, on this computer only',
  },
  {
    title: 'Solo esta computadora llega a este servidor',
    text: (address) =>
      `Un enlace o código con ${address} no funciona en otro lugar. Agregue estas líneas al archivo .env, con la dirección de su servidor, y reinicie:`,
    hint: 'Si un proxy inverso en esta máquina recibe la dirección, deje HOST como está.',
    anyway: 'Usarlo así, solo en esta computadora',
  },
)

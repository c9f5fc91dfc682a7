// Texts of the home page about open callback requests.
import { texts } from '../../i18n/texts.ts'

export const waitingCallbacksTexts = texts(
  {
    open: (n: string, isOne: boolean) => (isOne ? '1 pessoa espera um retorno.' : `${n} pessoas esperam um retorno.`),
    see: 'Ver pedidos de retorno',
  },
  {
    open: (n: string, isOne: boolean) =>
      isOne ? '1 person is waiting for a call.' : `${n} people are waiting for a call.`,
    see: 'View call-back requests',
  },
  {
    open: (n: string, isOne: boolean) =>
      isOne ? '1 persona espera que la llamen.' : `${n} personas esperan que las llamen.`,
    see: 'Ver llamadas por devolver',
  },
)

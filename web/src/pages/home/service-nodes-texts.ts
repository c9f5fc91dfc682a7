// Texts of the home page about the cluster's nodes.
import { texts } from '../../i18n/texts.ts'

export const serviceNodesTexts = texts(
  {
    title: 'Nós',
    name: 'Nó',
    state: 'Estado',
    states: { up: 'No ar', draining: 'Esvaziando', down: 'Fora do ar' },
    calls: 'Chamadas',
    callsOf: (calls: string, max: string) => `${calls} de ${max}`,
    phoneOff: 'telefone desligado',
    cpu: 'CPU',
    version: 'Versão',
    started: 'Iniciado',
  },
  {
    title: 'Nodes',
    name: 'Node',
    state: 'State',
    states: { up: 'Up', draining: 'Draining', down: 'Down' },
    calls: 'Calls',
    callsOf: (calls, max) => `${calls} of ${max}`,
    phoneOff: 'phone is off',
    cpu: 'CPU',
    version: 'Version',
    started: 'Started',
  },
  {
    title: 'Nodos',
    name: 'Nodo',
    state: 'Estado',
    states: { up: 'En servicio', draining: 'Vaciándose', down: 'Caído' },
    calls: 'Llamadas',
    callsOf: (calls, max) => `${calls} de ${max}`,
    phoneOff: 'teléfono desactivado',
    cpu: 'CPU',
    version: 'Versión',
    started: 'Iniciado',
  },
)

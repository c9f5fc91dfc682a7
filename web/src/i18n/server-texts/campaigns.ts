// Details of campaigns and attempts, which the server stores in English.
import type { ServerTexts } from '../server-text.ts'

export const campaignServerTexts: ServerTexts = {
  '{failed} of {all} attempts failed within two minutes': [
    '{failed} de {all} tentativas falharam em dois minutos',
    '{failed} de {all} intentos fallaron en dos minutos',
  ],
  '{share} of {all} attempts were answered': [
    '{share} de {all} tentativas foram atendidas',
    '{share} de {all} intentos fueron contestados',
  ],
  '{share} of {all} attempts lasted {seconds} s or less': [
    '{share} de {all} tentativas duraram {seconds} s ou menos',
    '{share} de {all} intentos duraron {seconds} s o menos',
  ],
  '{n} attempts of this caller in {month}: no more are allowed': [
    '{n} tentativas deste número em {month}: não são permitidas mais',
    '{n} intentos de este número en {month}: no se permiten más',
  ],
  'The node that placed this call ended while it was dialing': [
    'O servidor que fazia esta chamada parou enquanto discava',
    'El servidor que hacía esta llamada se detuvo mientras marcaba',
  ],
  'Its call was deleted before its end was recorded': [
    'A chamada foi excluída antes de o fim ser registrado',
    'La llamada se eliminó antes de registrarse su final',
  ],
  'The node that claimed this attempt ended before it dialled': [
    'O servidor desta tentativa parou antes de discar',
    'El servidor de este intento se detuvo antes de marcar',
  ],
  'The pre-dial webhook refused it': ['O webhook antes de discar recusou', 'El webhook antes de marcar lo rechazó'],
  'The call could not be created': ['A chamada não pôde ser criada', 'No se pudo crear la llamada'],
}

// Why calls end, in words: a short one for lists, a sentence with what to do for the page of the call.
import { texts } from '../../i18n/texts.ts'
import type { EndReason, EndReasonText } from './end-reasons.ts'

export const endReasonTexts = texts(
  {
    agent_ended: { short: 'Agente encerrou', means: 'O agente encerrou a chamada.' },
    agent_inactive: {
      short: 'Agente inativo',
      means: 'O agente deste número está inativo ou não recebe chamadas. Ative-o na página do agente.',
    },
    busy: { short: 'Ocupado', means: 'A linha chamada estava ocupada.' },
    caller_hangup: { short: 'Pessoa desligou', means: 'A pessoa do outro lado desligou.' },
    canceled_by_api: { short: 'Desligada daqui', means: 'A chamada foi desligada por este painel ou pela API.' },
    concurrency_limit: {
      short: 'Limite de chamadas',
      means: 'Havia chamadas demais ao mesmo tempo. Aumente o limite do tronco, do aparelho ou do servidor.',
    },
    connection_lost: {
      short: 'Conexão perdida',
      means: 'A conexão deste navegador com o servidor caiu. Confira a rede e tente de novo.',
    },
    end_phrase: {
      short: 'Frase de encerramento',
      means: 'A pessoa disse uma das frases que encerram a chamada; o agente se despediu e desligou.',
    },
    internal_error: { short: 'Erro interno', means: 'Algo falhou no Ramal. O registro do servidor diz mais.' },
    invalid_number: {
      short: 'Número inválido',
      means: 'O número não existe, está em um formato não aceito ou não tem agente. Confira os números e o tronco.',
    },
    llm_error: {
      short: 'Modelo falhou',
      means: 'O modelo de linguagem não respondeu. Confira a chave e o endereço do modelo do agente.',
    },
    max_duration: { short: 'Tempo máximo', means: 'A chamada chegou à duração máxima permitida.' },
    media_timeout: {
      short: 'Sem áudio',
      means: 'Nenhum som chegou do outro lado por tempo demais. Confira firewall e NAT: as portas RTP precisam passar.',
    },
    no_answer: { short: 'Não atendida', means: 'Ninguém atendeu.' },
    node_shutdown: { short: 'Servidor parou', means: 'O Ramal foi desligado ou reiniciado durante a chamada.' },
    orphaned: { short: 'Processo caiu', means: 'O processo que cuidava da chamada terminou sem encerrá-la.' },
    rejected: {
      short: 'Recusada',
      means: 'A chamada foi recusada: por quem foi chamado, pela operadora ou por uma regra.',
    },
    silence_timeout: { short: 'Silêncio', means: 'A pessoa ficou em silêncio por tempo demais, e o agente desligou.' },
    sip_error: {
      short: 'Erro de telefonia',
      means: 'A operadora respondeu com um erro. As mensagens SIP mostram qual.',
    },
    stt_error: {
      short: 'Não conseguiu ouvir',
      means: 'O reconhecimento de fala falhou. Confira as configurações de fala.',
    },
    transferred: { short: 'Transferida', means: 'A chamada foi transferida para outra pessoa.' },
    trunk_auth_failed: {
      short: 'Senha do tronco',
      means: 'A operadora não aceitou usuário ou senha do tronco. O diagnóstico do tronco ajuda.',
    },
    trunk_unavailable: {
      short: 'Sem tronco',
      means: 'Nenhum tronco ou aparelho pôde levar a chamada. Confira se há um ligado ao agente e em funcionamento.',
    },
    tts_error: { short: 'Voz falhou', means: 'A voz do agente não pôde falar. Confira as configurações da voz.' },
    voicemail: { short: 'Caixa postal', means: 'Uma caixa postal atendeu.' },
  },
  {
    agent_ended: { short: 'Agent ended it', means: 'The agent ended the call.' },
    agent_inactive: {
      short: 'Agent inactive',
      means: "This number's agent is inactive or takes no inbound calls. Switch it on in the agent's page.",
    },
    busy: { short: 'Busy', means: 'The line that was called was busy.' },
    caller_hangup: { short: 'Person hung up', means: 'The person at the other end hung up.' },
    canceled_by_api: {
      short: 'Hung up from here',
      means: 'The call was hung up from this dashboard or through the API.',
    },
    concurrency_limit: {
      short: 'Too many calls',
      means: 'There were too many calls at once. Raise the limit of the trunk, the device or the server.',
    },
    connection_lost: {
      short: 'Connection lost',
      means: 'This browser lost its connection to the server. Check the network and try again.',
    },
    end_phrase: {
      short: 'Closing phrase',
      means: 'The caller said one of the phrases that end the call; the agent said goodbye and hung up.',
    },
    internal_error: { short: 'Internal error', means: "Something failed in Ramal. The server's log says more." },
    invalid_number: {
      short: 'Invalid number',
      means:
        'The number does not exist, is in a form that is not accepted, or has no agent. Check the numbers and the trunk.',
    },
    llm_error: {
      short: 'Model failed',
      means: "The language model did not answer. Check the key and the address of the agent's model.",
    },
    max_duration: { short: 'Time limit', means: 'The call reached the longest duration that is allowed.' },
    media_timeout: {
      short: 'No audio',
      means: 'No sound came from the other end for too long. Check firewall and NAT: the RTP ports must get through.',
    },
    no_answer: { short: 'No answer', means: 'Nobody picked up.' },
    node_shutdown: { short: 'Server stopped', means: 'Ramal was stopped or restarted during the call.' },
    orphaned: { short: 'Process died', means: 'The process that ran the call ended without ending it.' },
    rejected: {
      short: 'Refused',
      means: 'The call was refused: by the one who was called, by the carrier or by a rule.',
    },
    silence_timeout: { short: 'Silence', means: 'The person was silent for too long, and the agent hung up.' },
    sip_error: { short: 'Telephone error', means: 'The carrier answered with an error. The SIP messages show which.' },
    stt_error: { short: 'Could not hear', means: 'Speech recognition failed. Check the speech settings.' },
    transferred: { short: 'Transferred', means: 'The call was transferred to somebody else.' },
    trunk_auth_failed: {
      short: 'Trunk password',
      means: "The carrier did not accept the trunk's username or password. The trunk's doctor helps.",
    },
    trunk_unavailable: {
      short: 'No trunk',
      means: 'No trunk or device could carry the call. Check that one is linked to the agent and in working order.',
    },
    tts_error: { short: 'Voice failed', means: "The agent's voice could not speak. Check the voice settings." },
    voicemail: { short: 'Voicemail', means: 'A mailbox answered.' },
  },
  {
    agent_ended: { short: 'Terminó el agente', means: 'El agente terminó la llamada.' },
    agent_inactive: {
      short: 'Agente inactivo',
      means: 'El agente de este número está inactivo o no recibe llamadas. Actívelo en la página del agente.',
    },
    busy: { short: 'Ocupado', means: 'La línea a la que se llamó estaba ocupada.' },
    caller_hangup: { short: 'Colgó la persona', means: 'La persona del otro lado colgó.' },
    canceled_by_api: { short: 'Colgada desde aquí', means: 'La llamada se colgó desde este panel o por la API.' },
    concurrency_limit: {
      short: 'Límite de llamadas',
      means: 'Había demasiadas llamadas a la vez. Aumente el límite del troncal, del dispositivo o del servidor.',
    },
    connection_lost: {
      short: 'Conexión perdida',
      means: 'El navegador perdió la conexión con el servidor. Revise la red e inténtelo de nuevo.',
    },
    end_phrase: {
      short: 'Frase de cierre',
      means: 'La persona dijo una de las frases que terminan la llamada; el agente se despidió y colgó.',
    },
    internal_error: { short: 'Error interno', means: 'Algo falló en Ramal. El registro del servidor dice más.' },
    invalid_number: {
      short: 'Número no válido',
      means: 'El número no existe, tiene un formato no admitido o no tiene agente. Revise los números y el troncal.',
    },
    llm_error: {
      short: 'Falló el modelo',
      means: 'El modelo de lenguaje no respondió. Revise la clave y la dirección del modelo del agente.',
    },
    max_duration: { short: 'Tiempo máximo', means: 'La llamada alcanzó la duración máxima permitida.' },
    media_timeout: {
      short: 'Sin audio',
      means:
        'No llegó sonido del otro lado durante demasiado tiempo. Revise el cortafuegos y el NAT: los puertos RTP deben pasar.',
    },
    no_answer: { short: 'Sin respuesta', means: 'Nadie contestó.' },
    node_shutdown: { short: 'Servidor detenido', means: 'Ramal se detuvo o se reinició durante la llamada.' },
    orphaned: { short: 'Proceso caído', means: 'El proceso que llevaba la llamada acabó sin terminarla.' },
    rejected: {
      short: 'Rechazada',
      means: 'La llamada fue rechazada: por el destinatario, por el operador o por una regla.',
    },
    silence_timeout: { short: 'Silencio', means: 'La persona estuvo en silencio demasiado tiempo y el agente colgó.' },
    sip_error: {
      short: 'Error de telefonía',
      means: 'El operador respondió con un error. Los mensajes SIP muestran cuál.',
    },
    stt_error: { short: 'No pudo oír', means: 'Falló el reconocimiento de voz. Revise los ajustes de voz.' },
    transferred: { short: 'Transferida', means: 'La llamada se transfirió a otra persona.' },
    trunk_auth_failed: {
      short: 'Contraseña del troncal',
      means: 'El operador no aceptó el usuario o la contraseña del troncal. El diagnóstico del troncal ayuda.',
    },
    trunk_unavailable: {
      short: 'Sin troncal',
      means:
        'Ningún troncal o dispositivo pudo llevar la llamada. Compruebe que hay uno vinculado al agente y en funcionamiento.',
    },
    tts_error: { short: 'Falló la voz', means: 'La voz del agente no pudo hablar. Revise los ajustes de la voz.' },
    voicemail: { short: 'Buzón de voz', means: 'Contestó un buzón de voz.' },
  },
)

/** Every reason has its words. */
endReasonTexts.en satisfies Record<EndReason, EndReasonText>

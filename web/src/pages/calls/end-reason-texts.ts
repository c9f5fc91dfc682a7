// Texts of end reasons: a short label for lists, and a sentence with the fix for the call page.
import { texts } from '../../i18n/texts.ts'
import type { EndReason, EndReasonText } from './end-reasons.ts'

export const endReasonTexts = texts(
  {
    agent_ended: { short: 'Agente encerrou', means: 'O agente encerrou a chamada.' },
    agent_inactive: {
      short: 'Agente inativo',
      means: 'O agente deste número está desativado ou não recebe chamadas. Ative-o na página do agente.',
    },
    busy: { short: 'Ocupado', means: 'O número chamado estava ocupado, ou a rede congestionada.' },
    caller_hangup: { short: 'Pessoa desligou', means: 'A pessoa do outro lado desligou.' },
    canceled_by_api: { short: 'Desligada pelo painel', means: 'A chamada foi desligada por este painel ou pela API.' },
    concurrency_limit: {
      short: 'Limite de chamadas',
      means: 'Havia chamadas simultâneas demais. Aumente o limite do tronco, do aparelho ou do servidor.',
    },
    connection_lost: {
      short: 'Conexão perdida',
      means: 'A conexão deste navegador com o servidor caiu. Verifique a rede e tente novamente.',
    },
    end_phrase: {
      short: 'Frase de encerramento',
      means: 'A pessoa disse uma das frases que encerram a chamada; o agente se despediu e desligou.',
    },
    fax: {
      short: 'Fax',
      means: 'Um aparelho de fax atendeu. Verifique o número.',
    },
    internal_error: { short: 'Erro interno', means: 'Ocorreu um erro no Ramal. Consulte os logs do servidor.' },
    invalid_number: {
      short: 'Número inválido',
      means: 'O número não existe, está em um formato não aceito ou não tem agente. Verifique os números e o tronco.',
    },
    llm_error: {
      short: 'Falha no modelo',
      means: 'O modelo de linguagem não respondeu. Verifique a chave e o endereço do modelo.',
    },
    max_duration: { short: 'Duração máxima', means: 'A chamada atingiu a duração máxima permitida.' },
    media_timeout: {
      short: 'Sem áudio',
      means: 'Nenhum áudio chegou do outro lado. Verifique o firewall e o NAT: as portas RTP precisam estar liberadas.',
    },
    no_answer: { short: 'Não atendida', means: 'Ninguém atendeu.' },
    node_shutdown: { short: 'Servidor parado', means: 'O Ramal foi parado ou reiniciado durante a chamada.' },
    number_not_in_service: {
      short: 'Número fora de serviço',
      means: 'A rede tocou o sinal de número inexistente ou fora de serviço. Verifique o número.',
    },
    orphaned: { short: 'Processo interrompido', means: 'O processo responsável pela chamada parou sem encerrá-la.' },
    rejected: {
      short: 'Recusada',
      means: 'A chamada foi recusada: pelo destinatário, pela operadora ou por uma regra.',
    },
    silence_timeout: { short: 'Silêncio', means: 'A pessoa ficou em silêncio por muito tempo e o agente desligou.' },
    sip_error: {
      short: 'Erro SIP',
      means: 'A operadora respondeu com um erro. Veja as mensagens SIP.',
    },
    stt_error: {
      short: 'Falha no reconhecimento',
      means: 'O reconhecimento de fala falhou. Verifique as configurações de voz.',
    },
    transferred: { short: 'Transferida', means: 'A chamada foi transferida para outra pessoa.' },
    trunk_auth_failed: {
      short: 'Falha de autenticação',
      means: 'A operadora recusou o usuário ou a senha do tronco. Use o diagnóstico do tronco.',
    },
    trunk_unavailable: {
      short: 'Tronco indisponível',
      means: 'Nenhum tronco ou aparelho pôde fazer a chamada. Verifique se há um vinculado ao agente e funcionando.',
    },
    tts_error: { short: 'Falha na voz', means: 'A síntese de voz falhou. Verifique as configurações de voz.' },
    voicemail: { short: 'Caixa postal', means: 'A chamada caiu na caixa postal.' },
  },
  {
    agent_ended: { short: 'Ended by agent', means: 'The agent ended the call.' },
    agent_inactive: {
      short: 'Agent inactive',
      means: "This number's agent is disabled or does not take inbound calls. Enable it on the agent's page.",
    },
    busy: { short: 'Busy', means: 'The called number was busy, or the network congested.' },
    caller_hangup: { short: 'Caller hung up', means: 'The person on the call hung up.' },
    canceled_by_api: {
      short: 'Hung up from dashboard',
      means: 'The call was hung up from this dashboard or through the API.',
    },
    concurrency_limit: {
      short: 'Call limit',
      means: 'There were too many concurrent calls. Raise the limit of the trunk, the device or the server.',
    },
    connection_lost: {
      short: 'Connection lost',
      means: 'This browser lost its connection to the server. Check the network and try again.',
    },
    end_phrase: {
      short: 'End phrase',
      means: 'The caller said one of the phrases that end the call; the agent said goodbye and hung up.',
    },
    fax: {
      short: 'Fax',
      means: 'A fax machine answered. Check the number.',
    },
    internal_error: { short: 'Internal error', means: 'An error occurred in Ramal. See the server logs.' },
    invalid_number: {
      short: 'Invalid number',
      means: 'The number does not exist, has an unsupported format, or has no agent. Check the numbers and the trunk.',
    },
    llm_error: {
      short: 'Model error',
      means: 'The language model did not respond. Check the key and address of the model.',
    },
    max_duration: { short: 'Maximum duration', means: 'The call reached the maximum duration.' },
    media_timeout: {
      short: 'No audio',
      means: 'No audio arrived from the other side. Check the firewall and NAT: the RTP ports must be open.',
    },
    no_answer: { short: 'No answer', means: 'Nobody answered.' },
    node_shutdown: { short: 'Server stopped', means: 'Ramal was stopped or restarted during the call.' },
    number_not_in_service: {
      short: 'Number not in service',
      means: 'The network played the tones of a number that does not exist or is out of service. Check the number.',
    },
    orphaned: { short: 'Process crashed', means: 'The process handling the call stopped without ending it.' },
    rejected: {
      short: 'Rejected',
      means: 'The call was rejected: by the callee, the carrier or a rule.',
    },
    silence_timeout: { short: 'Silence', means: 'The caller was silent for too long and the agent hung up.' },
    sip_error: { short: 'SIP error', means: 'The carrier returned an error. See the SIP messages.' },
    stt_error: { short: 'Recognition error', means: 'Speech recognition failed. Check the speech settings.' },
    transferred: { short: 'Transferred', means: 'The call was transferred.' },
    trunk_auth_failed: {
      short: 'Trunk authentication',
      means: "The carrier rejected the trunk's username or password. Run the trunk diagnostics.",
    },
    trunk_unavailable: {
      short: 'Trunk unavailable',
      means: 'No trunk or device could place the call. Check that one is linked to the agent and working.',
    },
    tts_error: { short: 'Voice error', means: 'Speech synthesis failed. Check the voice settings.' },
    voicemail: { short: 'Voicemail', means: 'The call reached voicemail.' },
  },
  {
    agent_ended: { short: 'Finalizada por el agente', means: 'El agente finalizó la llamada.' },
    agent_inactive: {
      short: 'Agente inactivo',
      means: 'El agente de este número está desactivado o no recibe llamadas. Actívelo en la página del agente.',
    },
    busy: { short: 'Ocupado', means: 'El número llamado estaba ocupado, o la red congestionada.' },
    caller_hangup: { short: 'Colgó la persona', means: 'La persona del otro lado colgó.' },
    canceled_by_api: { short: 'Colgada desde el panel', means: 'La llamada se colgó desde este panel o por la API.' },
    concurrency_limit: {
      short: 'Límite de llamadas',
      means: 'Había demasiadas llamadas simultáneas. Aumente el límite de la troncal, del dispositivo o del servidor.',
    },
    connection_lost: {
      short: 'Conexión perdida',
      means: 'El navegador perdió la conexión con el servidor. Revise la red e inténtelo de nuevo.',
    },
    end_phrase: {
      short: 'Frase de cierre',
      means: 'La persona dijo una de las frases que finalizan la llamada; el agente se despidió y colgó.',
    },
    fax: {
      short: 'Fax',
      means: 'Contestó un fax. Revise el número.',
    },
    internal_error: {
      short: 'Error interno',
      means: 'Se produjo un error en Ramal. Consulte los registros del servidor.',
    },
    invalid_number: {
      short: 'Número no válido',
      means: 'El número no existe, tiene un formato no admitido o no tiene agente. Revise los números y la troncal.',
    },
    llm_error: {
      short: 'Error del modelo',
      means: 'El modelo de lenguaje no respondió. Revise la clave y la dirección del modelo.',
    },
    max_duration: { short: 'Duración máxima', means: 'La llamada alcanzó la duración máxima permitida.' },
    media_timeout: {
      short: 'Sin audio',
      means: 'No llegó audio del otro lado. Revise el cortafuegos y el NAT: los puertos RTP deben estar abiertos.',
    },
    no_answer: { short: 'Sin respuesta', means: 'Nadie contestó.' },
    node_shutdown: { short: 'Servidor detenido', means: 'Ramal se detuvo o se reinició durante la llamada.' },
    number_not_in_service: {
      short: 'Número fuera de servicio',
      means: 'La red emitió los tonos de un número inexistente o fuera de servicio. Revise el número.',
    },
    orphaned: {
      short: 'Proceso interrumpido',
      means: 'El proceso que gestionaba la llamada se detuvo sin finalizarla.',
    },
    rejected: {
      short: 'Rechazada',
      means: 'La llamada fue rechazada: por el destinatario, la operadora o una regla.',
    },
    silence_timeout: { short: 'Silencio', means: 'La persona estuvo en silencio demasiado tiempo y el agente colgó.' },
    sip_error: {
      short: 'Error SIP',
      means: 'La operadora respondió con un error. Consulte los mensajes SIP.',
    },
    stt_error: {
      short: 'Error de reconocimiento',
      means: 'Falló el reconocimiento de voz. Revise los ajustes de voz.',
    },
    transferred: { short: 'Transferida', means: 'La llamada fue transferida.' },
    trunk_auth_failed: {
      short: 'Error de autenticación',
      means: 'La operadora rechazó el usuario o la contraseña de la troncal. Use el diagnóstico de la troncal.',
    },
    trunk_unavailable: {
      short: 'Troncal no disponible',
      means:
        'Ninguna troncal o dispositivo pudo hacer la llamada. Compruebe que hay uno vinculado al agente y en funcionamiento.',
    },
    tts_error: { short: 'Error de voz', means: 'Falló la síntesis de voz. Revise los ajustes de voz.' },
    voicemail: { short: 'Buzón de voz', means: 'La llamada llegó al buzón de voz.' },
  },
)

/** Ensures that every end reason has a text. */
endReasonTexts.en satisfies Record<EndReason, EndReasonText>

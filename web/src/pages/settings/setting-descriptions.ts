// Descriptions of the server's settings in Portuguese and Spanish, by name. English comes from the server itself.
import type { Language } from '../../i18n/language.ts'

const descriptions: Readonly<Record<string, readonly [pt: string, es: string]>> = {
  HOST: [
    'só esta máquina; 0.0.0.0 para todos os endereços dela',
    'solo esta máquina; 0.0.0.0 para todas sus direcciones',
  ],
  PORT: ['porta do servidor HTTP', 'puerto del servidor HTTP'],
  TLS_CERT: [
    'arquivo com a cadeia de certificados (PEM); com TLS_KEY o servidor usa HTTPS',
    'archivo con la cadena de certificados (PEM); con TLS_KEY el servidor usa HTTPS',
  ],
  TLS_KEY: ['arquivo com a chave privada (PEM)', 'archivo con la clave privada (PEM)'],
  TRUST_PROXY: [
    'true: há um proxy reverso na frente, e o último endereço em X-Forwarded-For é o do cliente; 2: dois proxies. Ou os endereços dos proxies: 10.0.0.1,10.0.0.2',
    'true: hay un proxy inverso delante y la última dirección de X-Forwarded-For es la del cliente; 2: dos proxies. O las direcciones de los proxies: 10.0.0.1,10.0.0.2',
  ],
  PUBLIC_URL: [
    'endereço deste servidor visto de fora, por exemplo https://voz.example.com',
    'dirección de este servidor vista desde fuera, por ejemplo https://voz.example.com',
  ],
  WEB: ['off: serve a API sem o painel', 'off: sirve la API sin el panel'],
  DATA_DIR: ['banco de dados integrado, chaves, gravações', 'base de datos integrada, claves, grabaciones'],
  NODE_NAME: [
    'nome deste processo entre os que compartilham um banco PostgreSQL; é o nodeId das chamadas dele. Precisa ser único e o mesmo a cada início. Em branco: gerado e guardado em DATA_DIR',
    'nombre de este proceso entre los que comparten una base PostgreSQL; es el nodeId de sus llamadas. Debe ser único y el mismo en cada arranque. Vacío: se genera y se guarda en DATA_DIR',
  ],
  NODE_HOST: [
    'com PostgreSQL: o endereço em que os outros nós alcançam este. Em branco: o primeiro endereço IPv4 desta máquina',
    'con PostgreSQL: la dirección en la que los otros nodos alcanzan este. Vacío: la primera dirección IPv4 de esta máquina',
  ],
  NODE_PORT: [
    'com PostgreSQL: a porta para conexões dos outros nós, cifradas com uma chave derivada de MASTER_KEY; 0: uma porta livre',
    'con PostgreSQL: el puerto para conexiones de los otros nodos, cifradas con una clave derivada de MASTER_KEY; 0: un puerto libre',
  ],
  DATABASE_URL: [
    'postgres://usuario:senha@servidor:5432/nome; vazio: SQLite em DATA_DIR',
    'postgres://usuario:contraseña@servidor:5432/nombre; vacío: SQLite en DATA_DIR',
  ],
  REDIS_URL: [
    'redis://servidor:6379; compartilha os limites de requisições entre vários processos e leva os comandos entre eles',
    'redis://servidor:6379; comparte los límites de solicitudes entre varios procesos y lleva los comandos entre ellos',
  ],
  RETENTION_DAYS: [
    'exclui conversas, chamadas e gravações mais antigas que isso; vazio: nunca',
    'elimina conversaciones, llamadas y grabaciones más antiguas; vacío: nunca',
  ],
  AUDIT_RETENTION_DAYS: [
    'por quantos dias o registro de auditoria é guardado',
    'durante cuántos días se guarda el registro de auditoría',
  ],
  RECORDING_MIN_FREE_MB: [
    'com menos espaço livre em DATA_DIR, novas chamadas não são gravadas',
    'con menos espacio libre en DATA_DIR, las llamadas nuevas no se graban',
  ],
  S3_ENDPOINT: [
    'https://s3.example.com; as gravações vão para lá depois da chamada (AWS, MinIO, Garage, R2 …). Em branco: ficam em DATA_DIR',
    'https://s3.example.com; las grabaciones se mueven allí después de la llamada (AWS, MinIO, Garage, R2 …). Vacío: se quedan en DATA_DIR',
  ],
  S3_BUCKET: ['o bucket, que precisa existir', 'el bucket, que debe existir'],
  S3_ACCESS_KEY_ID: ['chave de acesso do bucket', 'clave de acceso del bucket'],
  S3_SECRET_ACCESS_KEY: [
    'precisa poder gravar, ler e excluir objetos desse bucket',
    'debe poder escribir, leer y eliminar objetos de ese bucket',
  ],
  S3_REGION: ['a região que o provedor informa; auto no R2', 'la región que indica el proveedor; auto en R2'],
  MAX_LIST_MB: [
    'o maior arquivo de contatos que uma campanha aceita; até 200',
    'el archivo de contactos más grande que acepta una campaña; hasta 200',
  ],
  MASTER_KEY: [
    '32 caracteres ou mais; cifra os segredos guardados. Em branco: um arquivo de chave é criado em DATA_DIR. Para trocar: MASTER_KEY=nova,antiga; reinicie; ./ramal rekey; depois MASTER_KEY=nova',
    '32 caracteres o más; cifra los secretos guardados. Vacío: se crea un archivo de clave en DATA_DIR. Para cambiarla: MASTER_KEY=nueva,antigua; reinicie; ./ramal rekey; después MASTER_KEY=nueva',
  ],
  BOOTSTRAP_API_KEY: [
    '32 caracteres ou mais; a primeira chave de API. Em branco: gerada e mostrada no primeiro início',
    '32 caracteres o más; la primera clave de API. Vacío: se genera y se muestra en el primer arranque',
  ],
  SIP_HOST: [
    'endereço em que SIP e RTP escutam; vazio: igual a HOST. 0.0.0.0 para chamadas de fora',
    'dirección en la que escuchan SIP y RTP; vacío: igual que HOST. 0.0.0.0 para llamadas de fuera',
  ],
  SIP_PORT: ['UDP e TCP; 0 desativa a telefonia', 'UDP y TCP; 0 desactiva la telefonía'],
  SIP_TLS_PORT: ['precisa de TLS_CERT e TLS_KEY', 'necesita TLS_CERT y TLS_KEY'],
  RTP_PORTS: ['portas UDP do áudio: duas por chamada', 'puertos UDP del audio: dos por llamada'],
  PUBLIC_ADDRESS: [
    'o endereço no SDP e no Contact quando esta máquina está atrás de NAT',
    'la dirección en el SDP y el Contact cuando esta máquina está detrás de NAT',
  ],
  SIP_NETWORKS: [
    'redes privadas que troncos e transferências de todos os usuários podem acessar: 10.0.0.0/8,192.168.1.20. Em branco: só administradores',
    'redes privadas a las que pueden acceder las troncales y transferencias de todos los usuarios: 10.0.0.0/8,192.168.1.20. Vacío: solo administradores',
  ],
  SIP_PROXIES: [
    'proxies SIP à frente de vários nós (endereços ou redes): o cabeçalho X-Ramal-Source deles diz de onde veio um pedido',
    'proxies SIP delante de varios nodos (direcciones o redes): su cabecera X-Ramal-Source dice de dónde vino una petición',
  ],
  MAX_CALLS: [
    'chamadas simultâneas deste nó; vazio: medido no início por um teste de carga',
    'llamadas simultáneas de este nodo; vacío: se mide al arrancar con una prueba de carga',
  ],
  MAX_CALLS_PER_USER: [
    'chamadas simultâneas por usuário, em todos os nós',
    'llamadas simultáneas por usuario, en todos los nodos',
  ],
  MAX_CALL_MINUTES: ['duração máxima de uma chamada, em minutos', 'duración máxima de una llamada, en minutos'],
  DRAIN_SECONDS: [
    'por quanto tempo as chamadas em andamento continuam depois de SIGTERM',
    'cuánto tiempo siguen las llamadas en curso después de SIGTERM',
  ],
  ICE_SERVERS: [
    'servidores STUN e TURN das chamadas WebRTC, em JSON: [{"urls":"turn:turn.example.com:3478","username":"u","credential":"p"}]',
    'servidores STUN y TURN de las llamadas WebRTC, en JSON: [{"urls":"turn:turn.example.com:3478","username":"u","credential":"p"}]',
  ],
  TURN_SECRET: [
    'compartilhado com os servidores TURN de ICE_SERVERS sem usuário (coturn: static-auth-secret): cada chamada recebe a própria senha',
    'compartido con los servidores TURN de ICE_SERVERS sin usuario (coturn: static-auth-secret): cada llamada recibe su propia contraseña',
  ],
  CALLS_PER_SECOND: [
    'chamadas feitas por usuário a cada segundo, em todos os nós; as demais esperam na fila',
    'llamadas salientes por usuario cada segundo, en todos los nodos; las demás esperan en cola',
  ],
  CAMPAIGN_MAX_SHARE: [
    'parte de cada limite de chamadas que as campanhas podem ocupar, de 0 a 1; o resto fica livre para as demais chamadas',
    'parte de cada límite de llamadas que las campañas pueden ocupar, de 0 a 1; el resto queda libre para las demás llamadas',
  ],
  MAX_WAITING_CALLS: [
    'chamadas na fila por usuário, em todos os nós; acima disso, 429. Com PostgreSQL também contam as que esperam uma linha livre',
    'llamadas en cola por usuario, en todos los nodos; por encima, 429. Con PostgreSQL también cuentan las que esperan una línea libre',
  ],
  DENIED_PREFIXES: [
    'prefixos de números para os quais não se pode ligar; sem definir: satélite e tarifas especiais. Em branco: nenhum',
    'prefijos de números a los que no se puede llamar; sin definir: satélite y tarificación especial. Vacío: ninguno',
  ],
  MEMBER_TEXTS_PER_DAY: [
    'mensagens por SMS_URL e pela conta do WhatsApp, incluindo testes de ferramentas; acima disso, 429',
    'mensajes por SMS_URL y por la cuenta de WhatsApp, incluidas las pruebas de herramientas; por encima, 429',
  ],
  MEMBER_CALLS_PER_DAY: ['chamadas feitas', 'llamadas salientes'],
  MEMBER_TTS_CHARS_PER_DAY: [
    'caracteres falados por um fornecedor, em chamadas e pela API; vozes integradas não contam',
    'caracteres hablados por un proveedor, en llamadas y por la API; las voces integradas no cuentan',
  ],
  MEMBER_LLM_TOKENS_PER_DAY: [
    'tokens enviados a modelos de linguagem e recebidos deles (estimados: 4 caracteres cada), em chamadas, chats, ensaios e análises',
    'tokens enviados a modelos de lenguaje y recibidos de ellos (estimados: 4 caracteres cada uno), en llamadas, chats, ensayos y análisis',
  ],
  MEMBER_STT_MINUTES_PER_DAY: [
    'minutos de fala reconhecidos por um fornecedor',
    'minutos de habla reconocidos por un proveedor',
  ],
  MEMBER_EMBEDDINGS_PER_DAY: ['trechos e perguntas com embeddings', 'pasajes y preguntas con embeddings'],
  TTS_PROVIDER_A: [
    'pensado para elevenlabs (model_id, voice_settings)',
    'pensado para elevenlabs (model_id, voice_settings)',
  ],
  TTS_PROVIDER_B: ['pensado para azure (token, speed)', 'pensado para azure (token, speed)'],
  TTS_PROVIDER_C: [
    'pensado para cartesia (vozes por UUID, modelId, language)',
    'pensado para cartesia (voces por UUID, modelId, language)',
  ],
  STT_PROVIDER: [
    'reconhecimento de fala: embedded, openai, openai-realtime, deepgram ou azure; os três últimos ouvem enquanto a pessoa fala',
    'reconocimiento de voz: embedded, openai, openai-realtime, deepgram o azure; los tres últimos escuchan mientras la persona habla',
  ],
  ELEVENLABS_API_KEY: ['chave da ElevenLabs', 'clave de ElevenLabs'],
  ELEVENLABS_BASE_URL: [
    'substitui o endereço do fornecedor; o mesmo vale para os outros',
    'sustituye la dirección del proveedor; lo mismo vale para los demás',
  ],
  AZURE_SPEECH_KEY: ['chave do Azure Speech', 'clave de Azure Speech'],
  AZURE_SPEECH_REGION: ['por exemplo brazilsouth', 'por ejemplo brazilsouth'],
  AZURE_SPEECH_BASE_URL: ['substitui o endereço do Azure Speech', 'sustituye la dirección de Azure Speech'],
  CARTESIA_API_KEY: ['chave da Cartesia', 'clave de Cartesia'],
  CARTESIA_BASE_URL: ['substitui o endereço da Cartesia', 'sustituye la dirección de Cartesia'],
  OPENAI_API_KEY: [
    'chave da OpenAI para voz e reconhecimento de fala',
    'clave de OpenAI para voz y reconocimiento de voz',
  ],
  OPENAI_BASE_URL: [
    'qualquer servidor compatível com a OpenAI, com a versão: http://localhost:8000/v1',
    'cualquier servidor compatible con OpenAI, con la versión: http://localhost:8000/v1',
  ],
  DEEPGRAM_API_KEY: ['chave da Deepgram', 'clave de Deepgram'],
  DEEPGRAM_BASE_URL: ['substitui o endereço da Deepgram', 'sustituye la dirección de Deepgram'],
  EMBEDDED_VOICE: [
    'natural (1,1 GB de memória; preparada no primeiro início), small (robótica, 500 MB) ou off (190 MB)',
    'natural (1,1 GB de memoria; se prepara en el primer arranque), small (robótica, 500 MB) u off (190 MB)',
  ],
  SPEECH_MODELS: [
    'pasta com os seus próprios modelos no lugar dos que vêm nos pacotes: kokoro/, whisper/, silero_vad.onnx',
    'carpeta con sus propios modelos en lugar de los de los paquetes: kokoro/, whisper/, silero_vad.onnx',
  ],
  TURN_MODEL: [
    'modelo ONNX que percebe pelo áudio se a pessoa terminou de falar (smart-turn v3); vazio: segue a transcrição',
    'modelo ONNX que detecta por el audio si la persona terminó de hablar (smart-turn v3); vacío: sigue la transcripción',
  ],
  SPEECH_CACHE_MB: ['memória para frases já sintetizadas', 'memoria para frases ya sintetizadas'],
  LLM_PROVIDER: [
    'ou anthropic, google; com o pacote instalado (npm install @ai-sdk/mistral): azure, cohere, deepseek, groq, mistral, openai ou xai',
    'o anthropic, google; con el paquete instalado (npm install @ai-sdk/mistral): azure, cohere, deepseek, groq, mistral, openai o xai',
  ],
  LLM_BASE_URL: [
    'com a versão: http://localhost:11434/v1; vazio: OpenAI (https://api.openai.com/v1) ou o padrão de LLM_PROVIDER',
    'con la versión: http://localhost:11434/v1; vacío: OpenAI (https://api.openai.com/v1) o el valor por defecto de LLM_PROVIDER',
  ],
  LLM_API_KEY: [
    'LLM_API_KEY e LLM_MODEL sozinhos significam OpenAI; o seu próprio servidor pode não precisar de chave',
    'LLM_API_KEY y LLM_MODEL por sí solos significan OpenAI; su propio servidor puede no necesitar clave',
  ],
  LLM_MODEL: [
    'nome do modelo no provedor, por exemplo gpt-4o-mini',
    'nombre del modelo en el proveedor, por ejemplo gpt-4o-mini',
  ],
  LLM_MODELS: [
    'outros modelos que um agente pode usar em llmConfig.model, separados por vírgula; vazio: qualquer um para administradores, só LLM_MODEL para membros',
    'otros modelos que un agente puede usar en llmConfig.model, separados por comas; vacío: cualquiera para administradores, solo LLM_MODEL para miembros',
  ],
  LLM_FALLBACK_MODEL: [
    'responde se o primeiro modelo falhar, parar no meio ou nada enviar por 1,2 s',
    'responde si el primer modelo falla, se interrumpe o no envía nada en 1,2 s',
  ],
  LLM_FALLBACK_PROVIDER: [
    'vazio: LLM_PROVIDER, ou openai-compatible se LLM_FALLBACK_BASE_URL estiver definido',
    'vacío: LLM_PROVIDER, u openai-compatible si LLM_FALLBACK_BASE_URL está definido',
  ],
  LLM_FALLBACK_BASE_URL: [
    'vazio, com o mesmo provedor: o servidor e a chave do primeiro modelo',
    'vacío, con el mismo proveedor: el servidor y la clave del primer modelo',
  ],
  LLM_FALLBACK_API_KEY: ['chave do modelo reserva', 'clave del modelo de reserva'],
  LLM_MODEL_FILE: [
    'arquivo GGUF executado neste processo, se o pacote node-llama-cpp estiver instalado: o único modelo, ou o último do ambiente e das contas compartilhadas',
    'archivo GGUF que se ejecuta en este proceso, si el paquete node-llama-cpp está instalado: el único modelo, o el último del entorno y de las cuentas compartidas',
  ],
  EMBEDDINGS_BASE_URL: [
    'com a versão: https://api.openai.com/v1, http://localhost:11434/v1',
    'con la versión: https://api.openai.com/v1, http://localhost:11434/v1',
  ],
  EMBEDDINGS_MODEL: [
    'obrigatório com EMBEDDINGS_BASE_URL, por exemplo text-embedding-3-small; depois de uma troca, todos os documentos são processados de novo no início',
    'obligatorio con EMBEDDINGS_BASE_URL, por ejemplo text-embedding-3-small; tras un cambio, todos los documentos se procesan de nuevo al arrancar',
  ],
  EMBEDDINGS_API_KEY: [
    'o seu próprio servidor pode não precisar de chave',
    'su propio servidor puede no necesitar clave',
  ],
  GATEWAY_DRIVER: [
    'tipo dos novos aparelhos: embedded (este servidor é o gateway), whatsapp ou remote',
    'tipo de los dispositivos nuevos: embedded (este servidor es la pasarela), whatsapp o remote',
  ],
  GATEWAY_URL: [
    'serviço de gateway do tipo remote; ele segue docs/gateway-api.yaml',
    'servicio de pasarela del tipo remote; sigue docs/gateway-api.yaml',
  ],
  WHATSAPP_TOKEN: [
    'token de acesso permanente de um usuário do sistema',
    'token de acceso permanente de un usuario del sistema',
  ],
  WHATSAPP_PHONE_NUMBER_ID: ['o id do número, não o número em si', 'el id del número, no el número mismo'],
  WHATSAPP_BUSINESS_ACCOUNT_ID: [
    'se definido, um aparelho pode usar qualquer número desta conta',
    'si se define, un dispositivo puede usar cualquier número de esta cuenta',
  ],
  WHATSAPP_USERS: [
    'ids ou e-mails dos membros que podem usar esta conta, separados por vírgula; administradores sempre podem',
    'ids o correos de los miembros que pueden usar esta cuenta, separados por comas; los administradores siempre pueden',
  ],
  WHATSAPP_APP_SECRET: [
    'o segredo do app, que assina as requisições a /hooks/whatsapp. Em branco: mensagens não são recebidas',
    'el secreto de la app, que firma las solicitudes a /hooks/whatsapp. Vacío: no se reciben mensajes',
  ],
  WHATSAPP_VERIFY_TOKEN: [
    'um valor à sua escolha; a Meta o envia ao configurar o webhook',
    'un valor que usted elige; Meta lo envía al configurar el webhook',
  ],
  WHATSAPP_API_URL: ['endereço da API do WhatsApp', 'dirección de la API de WhatsApp'],
  WHATSAPP_SIP_HOST: ['com a porta, se não for 5061', 'con el puerto, si no es 5061'],
  WHATSAPP_SIP_PASSWORD: [
    'para chamadas por SIP; vazio: pedida à Meta',
    'para llamadas por SIP; vacío: se pide a Meta',
  ],
  SMS_URL: [
    'um provedor de SMS para send_text; {to}, {text} e {from} são inseridos na URL. Em branco: só os aparelhos enviam mensagens',
    'un proveedor de SMS para send_text; {to}, {text} y {from} se insertan en la URL. Vacío: solo los dispositivos envían mensajes',
  ],
  SMS_METHOD: ['ou PUT, GET', 'o PUT, GET'],
  SMS_HEADERS: ['JSON: {"Authorization":"Bearer ..."}', 'JSON: {"Authorization":"Bearer ..."}'],
  SMS_BODY: [
    'JSON com {to}, {text} e {from} nos textos; vazio: {"to","text","from"}. Enviado como formulário se SMS_HEADERS definir esse tipo',
    'JSON con {to}, {text} y {from} en sus textos; vacío: {"to","text","from"}. Se envía como formulario si SMS_HEADERS define ese tipo',
  ],
  ALLOWED_NETWORKS: [
    'redes privadas que as ferramentas podem acessar: 127.0.0.0/8,192.168.1.0/24. Em branco: nenhuma. As portas do próprio Ramal são sempre bloqueadas',
    'redes privadas a las que pueden acceder las herramientas: 127.0.0.0/8,192.168.1.0/24. Vacío: ninguna. Los puertos del propio Ramal están siempre bloqueados',
  ],
  LOG_LEVEL: [
    'fatal, error, warn, info, debug, trace ou silent; leituras são registradas em debug',
    'fatal, error, warn, info, debug, trace o silent; las lecturas se registran en debug',
  ],
}

/** Falls back to the server's English. */
export function settingDescription(name: string, english: string, language: Language): string {
  const words = Object.hasOwn(descriptions, name) ? descriptions[name] : undefined
  if (language === 'en' || !words) return english
  return words[language === 'pt' ? 0 : 1]
}

// Packages that are loaded only if the operator installed them; they have no types here.
declare module '@ai-sdk/azure'
declare module '@ai-sdk/cohere'
declare module '@ai-sdk/deepseek'
declare module '@ai-sdk/groq'
declare module '@ai-sdk/mistral'
declare module '@ai-sdk/openai'
declare module '@ai-sdk/xai'
declare module 'node-llama-cpp'

# The Ramal image: one stage builds the dashboard, one installs the runtime packages, and the final one has no build tools.
FROM node:24-bookworm-slim AS web
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build

FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev

FROM node:24-bookworm-slim
WORKDIR /app
# Before USER: a new volume inherits this owner.
RUN install -d -o node -g node -m 700 /data
COPY --from=packages /app/node_modules node_modules
COPY package.json .env.example ramal ./
COPY src src
# The guides that the server shows at /guides.
COPY docs docs
COPY --from=web /app/web/dist web/dist

# RTP_PORTS: two per call, and all must be published. 101 ports allow 50 calls.
ENV NODE_ENV=production \
    DATA_DIR=/data \
    HOST=0.0.0.0 \
    RTP_PORTS=10000-10100
USER node
VOLUME /data
EXPOSE 3000 5060/udp 5060/tcp 10000-10100/udp

# The certificate is for the public name, not for 127.0.0.1, so the check does not verify it.
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "const { PORT = 3000, TLS_CERT } = process.env; require(TLS_CERT ? 'https' : 'http').get({ host: '127.0.0.1', port: PORT, path: '/healthz', rejectUnauthorized: false }, (answer) => process.exit(answer.statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]

# Not through npm or a shell: SIGTERM must reach the process that drains the calls.
CMD ["node", "--max-semi-space-size=4", "--heap-growing-percent=200", "src/main.ts"]

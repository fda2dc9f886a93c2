# The explorer as an image: docker build --tag yomikiri . && docker run --rm --publish 8000:8000 yomikiri
# docs/install.md says how other machines reach it. The image is the unpacked archive of scripts/release. Programs of
# Alpine are static, so they need nothing else.
FROM rust:1-alpine AS build
RUN apk add --no-cache bash build-base nodejs npm python3 && rustup target add wasm32-unknown-unknown
WORKDIR /source
COPY . .
RUN SOURCE_DATE_EPOCH=0 scripts/release && mkdir /archive && \
    tar -xzf target/dist/yomikiri-*.tar.gz --strip-components 1 -C /archive

FROM scratch
COPY --from=build /archive /
# Roots of trust, for tables at an address.
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
USER 65534:65534
ENV YOMIKIRI_TABLES=/data
EXPOSE 8000
ENTRYPOINT ["/yomikiri", "serve", "--host", "0.0.0.0"]

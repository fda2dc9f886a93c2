import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

// Paths are relative, so that a copy works in any folder of any host. `npm run dev` asks a server that runs beside it.
export default defineConfig({
  base: "./",
  plugins: [svelte()],
  build: { target: "es2022", assetsInlineLimit: 0, modulePreload: { polyfill: false }, chunkSizeWarningLimit: 400 },
  worker: { format: "es" },
  server: { proxy: { "/api": "http://127.0.0.1:8000" } },
  test: { include: ["tests/unit/**/*.test.ts"] },
});

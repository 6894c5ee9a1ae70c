// FunnelEngine

import java.nio.file.Path;
import java.util.List;
import org.codelibs.opensearch.runner.node.OpenSearchRunnerNode;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.transport.Netty4Plugin;

/** Starts one node: its directory and its port for HTTP are the arguments. */
public class OpenSearchNode {
    public static void main(String[] arguments) throws Exception {
        Settings settings = Settings.builder()
                .put("cluster.name", "tests")
                .put("node.name", "node")
                .put("path.home", arguments[0])
                .put("http.port", arguments[1])
                .put("network.host", "127.0.0.1")
                .put("transport.port", "0")
                .put("discovery.type", "single-node")
                .put("cluster.routing.allocation.disk.threshold_enabled", false)
                .build();
        new OpenSearchRunnerNode(new Environment(settings, Path.of(arguments[0], "config")),
                List.of(Netty4Plugin.class)).start();
        Thread.currentThread().join();
    }
}
